// Driving a scene: keys, a simulated gamepad, sliders, and everything that has to release them, with the mock engine.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, before, beforeEach, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {openBrowser} from './browser.mjs';
import {plugIn, pressButton, tilt, unplug} from './gamepad.mjs';
import {MockEngine} from './mock_engine.mjs';
import {writeReplay} from './replay_file.mjs';
import {until} from './waiting.mjs';

let engine, browser, page;
before(async () => {
  engine = await MockEngine.start();
  browser = await openBrowser();
  page = await browser.page(engine.address);
});
after(async () => {
  await browser?.close();
  engine?.stop();
});
beforeEach(() => {
  engine.commands.length = 0;
});

const sent = (name = 'control') => engine.commands.filter(({command}) => command === name);
const values = control => sent().filter(({name}) => name === control).map(({value}) => value);
const ofRow = (control, part) => page.locator(`.control-row[data-name=${control}] ${part}`);
const shown = control => ofRow(control, 'output').innerText();
const arrived = (control, ...expected) =>
    until(`${control} = ${expected}`, () => JSON.stringify(values(control)) === JSON.stringify(expected));
// Another client changes a value. The page may still wait for the answer to its own last one: repeated, as the engine does.
const otherClient = (control, value, text) => until(`${control} at ${text}`, async () => {
  engine.say({controls: {...engine.status.controls, [control]: value}});
  return await shown(control) === text;
});

test('the panel shows name, value, keys and gamepad of each control', async () => {
  const text = async name => (await page.locator(`.control-row[data-name=${name}]`).innerText()).replace(/\s+/g, ' ');
  assert.match(await text('hoist'), /hoist axis 1 reversed 0 m\/s ↺ S W/);
  assert.match(await text('wind'), /wind 5 m\/s/);
  assert.match(await text('brake'), /brake button 0 B off/);
  assert.equal(await ofRow('hoist', 'input').getAttribute('aria-valuetext'), '0 m/s');
});

test('a held key drives, its release restores the default', async () => {
  await page.keyboard.down('w');
  await arrived('hoist', 2);
  await until('the value in the panel', async () => await shown('hoist') === '2 m/s');
  await page.keyboard.up('w');
  await arrived('hoist', 2, 0);
  await until('the default in the panel', async () => await shown('hoist') === '0 m/s');
  assert.equal(await ofRow('hoist', 'input').inputValue(), '33');
  assert.equal(sent().length, 2, 'only changes are sent');
});

test('with Shift a key deflects by a fifth', async () => {
  await page.keyboard.down('Shift');
  await page.keyboard.down('W');
  await arrived('hoist', 0.4);
  await page.keyboard.up('Shift');
  await arrived('hoist', 0.4, 2);
  await page.keyboard.up('w');
  await arrived('hoist', 0.4, 2, 0);
});

test('a key of a control does not act as key of the viewer, the other keys do', async () => {
  const contacts = page.getByText('contact forces (C)').locator('..').locator('input');
  const joints = page.getByText('joints (J)', {exact: true}).locator('..').locator('input');
  const [wereContacts, wereJoints] = [await contacts.isChecked(), await joints.isChecked()];
  await page.keyboard.press('c');
  await arrived('trolley', 1, 0);
  await page.keyboard.press('j');
  await until('joints', async () => await joints.isChecked() !== wereJoints);
  assert.equal(await contacts.isChecked(), wereContacts);
  await page.keyboard.press('j');
});

test('the help lists keys of controls, and the key of the viewer that they replace', async () => {
  await page.keyboard.press('F1');
  const help = (await page.locator('#help').innerText()).replace(/\s+/g, ' ');
  assert.match(help, /W S axis 1 reversed hoist: 2 m\/s, −1 m\/s/);
  assert.match(help, /B button 0 brake: on or off/);
  assert.match(help, /show contact forces \(the key drives trolley\)/);
  assert.match(help, /J show joints F/);
  await page.keyboard.press('Escape');
});

test('a switch is toggled by its key and by a click', async () => {
  await page.keyboard.press('b');
  await arrived('brake', 1);
  await until('on', async () => await shown('brake') === 'on');
  await ofRow('brake', 'input').click();
  await arrived('brake', 1, 0);
  await until('off', async () => await shown('brake') === 'off');
});

test('keys do nothing while a text field has the focus, and a field that gets it releases them', async () => {
  const field = page.locator('.slider-row[data-name=load] input[type=text]');
  await page.keyboard.down('w');
  await arrived('hoist', 2);
  await field.focus();
  await arrived('hoist', 2, 0);
  await page.keyboard.up('w');
  for (const key of ['s', 'b', ' ', 'j']) await page.keyboard.press(key);
  assert.match(await field.inputValue(), /sb j/);
  await field.fill('16 t');
  await page.keyboard.press('Enter');
  await until('the load in the rebuilt scene', () => page.evaluate(() => window.taut.body('load').mass === 16000));
  assert.deepEqual(values('hoist'), [2, 0]);
  assert.equal(sent('pause').length + sent('play').length, 0);
});

const endings = {
  'the window loses the focus': () => page.evaluate(() => window.dispatchEvent(new Event('blur'))),
  'the page is hidden': () => page.evaluate(() => {
    Object.defineProperty(document, 'hidden', {get: () => true, configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
    delete document.hidden;
  }),
  'the scene is rebuilt': () => engine.rebuild(15000),
};
for (const [name, end] of Object.entries(endings))
  test(`held keys are released when ${name}`, async () => {
    await page.keyboard.down('w');
    await page.keyboard.down('a');
    await arrived('slew', -0.5);
    await end();
    await arrived('hoist', 2, 0);
    await arrived('slew', -0.5, 0);
    await page.keyboard.down('w');  // the operating system repeats keys that are down
    await page.keyboard.up('w');
    await page.keyboard.up('a');
    await page.keyboard.press('d');
    await arrived('slew', -0.5, 0, 0.5, 0);
    assert.deepEqual(values('hoist'), [2, 0]);
  });

test('a page that is left releases its keys', async () => {
  const other = await browser.page(engine.address);
  await other.keyboard.down('w');
  await arrived('hoist', 2);
  await other.goto('about:blank');
  await arrived('hoist', 2, 0);
  await other.close();
});

test('a key that is held when the connection is lost is released after it', async () => {
  await page.keyboard.down('w');
  await arrived('hoist', 2);
  const back = engine.hangUp(1200);
  await until('word of the lost connection', () => page.locator('#lost').isVisible());
  await page.keyboard.up('w');
  await back;
  await arrived('hoist', 2, 0);
  await until('the default in the panel', async () => await shown('hoist') === '0 m/s');
  browser.errors.length = 0;  // the browser reports a refused connection
});

test('values of another client are shown, and overrule a held key until its release', async () => {
  await otherClient('wind', 12, '12 m/s');
  await page.keyboard.down('w');
  await arrived('hoist', 2);
  await otherClient('hoist', 0.5, '0.5 m/s');
  await page.keyboard.up('w');
  await arrived('hoist', 2, 0);
  await page.keyboard.press('s');
  await arrived('hoist', 2, 0, -1, 0);
  assert.equal(values('wind').length, 0);
});

test('a slider keeps its value, and a status does not move it while it is dragged', async () => {
  const slider = ofRow('wind', 'input');
  const {x, y, width, height} = await slider.boundingBox();
  const at = share => [x + 8 + share * (width - 16), y + height / 2];
  await page.mouse.move(...at(0.4));
  await page.mouse.down();
  await page.mouse.move(...at(0.8), {steps: 4});
  await until('a value', () => values('wind').length > 0 && Math.abs(values('wind').at(-1) - 24) < 1);
  const held = values('wind').at(-1);
  // more than the time for which the page waits for an answer
  const {clock, frames} = await page.evaluate(() => ({clock: performance.now(), frames: window.taut.stats.frames}));
  await until('statuses of another value', async () => {
    engine.say({controls: {...engine.status.controls, wind: 3}});
    return page.evaluate(([t, n]) => performance.now() > t + 1000 && window.taut.stats.frames > n, [clock, frames]);
  });
  assert.equal(await shown('wind'), `${held} m/s`);
  await page.mouse.up();
  await otherClient('wind', 3, '3 m/s');
  await ofRow('wind', '.home').click();
  await until('the default', () => values('wind').at(-1) === 5);
  await until('the default in the panel', async () => await shown('wind') === '5 m/s');
});

test('sliders are reached by Tab and moved by arrows, which step the time otherwise', async () => {
  await until('the focus in the panel', async () => {
    await page.keyboard.press('Tab');
    return page.evaluate(() => document.activeElement?.getAttribute('aria-label') === 'hoist');
  });
  await page.keyboard.press('ArrowRight');
  await arrived('hoist', 0.02);
  await page.keyboard.press('End');
  await arrived('hoist', 0.02, 2);
  assert.equal(sent('step').length, 0);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'hoist');
  await page.keyboard.press('s');
  await arrived('hoist', 0.02, 2, -1, 0);  // keys of controls act while a slider has the focus
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowRight');
  await until('a step', () => sent('step').length === 1);
});

test('a simulated gamepad drives, two controls with one axis, and a button toggles', async () => {
  await plugIn(page);
  await until('the notice', async () => /gamepad connected: simulated/.test(await page.locator('#toast').innerText()));
  await tilt(page, 1, 0);
  await tilt(page, 1, -1);
  await arrived('hoist', 2);
  await tilt(page, 1, 0.05);
  await arrived('hoist', 2, 0);
  await tilt(page, 0, -0.55);
  await arrived('slew', -0.25);
  await arrived('trolley', 0.5);
  await until('the mark', () => page.locator('.by-gamepad[data-name=slew]').isVisible());
  await tilt(page, 0, 0);
  await pressButton(page, 0, false);
  await pressButton(page, 0, true);
  await pressButton(page, 0, true);
  await pressButton(page, 0, false);
  await arrived('brake', 1);
  await page.keyboard.press('b');
});

test(
    'a gamepad that is unplugged returns its controls to the default, with a notice, and is read no more', async () => {
      await tilt(page, 1, 1);
      await arrived('hoist', -1);
      await unplug(page);
      await arrived('hoist', -1, 0);
      await until('the notice', async () => /gamepad disconnected/.test(await page.locator('#toast').innerText()));
      const reads = await page.evaluate(() => window.padReads);
      const {drawn} = await page.evaluate(() => window.taut.stats);
      await until('frames', async () => (await page.evaluate(() => window.taut.stats)).drawn > drawn + 2);
      assert.equal(await page.evaluate(() => window.padReads), reads);
    });

test('on a phone nothing overlaps, and a finger on a button drives as long as it stays', async () => {
  await page.setViewportSize({width: 390, height: 780});
  const phone = await browser.page(engine.address);
  await phone.setViewportSize({width: 390, height: 780});
  await phone.reload();
  await phone.waitForFunction(() => window.taut?.ready(), null, {timeout: 600000});
  const boxes = await phone.evaluate(
      () => ['.title', '#settings', '#controls', '#bottom', '#bottom button:last-child'].map(selector => {
        const {left, top, right, bottom} = document.querySelector(selector).getBoundingClientRect();
        return {left, top, right, bottom};
      }));
  for (const {left, right} of boxes) assert.ok(left >= 0 && right <= 390, JSON.stringify(boxes));
  for (let i = 1; i < 4; ++i) assert.ok(boxes[i].top >= boxes[i - 1].bottom, JSON.stringify(boxes));

  const button = phone.locator('.control-row[data-name=hoist] .hold').last();
  const {x, y, width, height} = await button.boundingBox();
  const touch = await browser.context.newCDPSession(phone);
  const finger = (type, touchPoints) => touch.send('Input.dispatchTouchEvent', {type, touchPoints});
  await finger('touchStart', [{x: x + width / 2, y: y + height / 2}]);
  await arrived('hoist', 2);
  await finger('touchEnd', []);
  await arrived('hoist', 2, 0);

  const slider = await phone.locator('.control-row[data-name=slew] input').boundingBox();
  const on = share => [{x: slider.x + share * slider.width, y: slider.y + slider.height / 2}];
  await finger('touchStart', on(0.5));
  for (const share of [0.6, 0.7, 0.8]) await finger('touchMove', on(share));
  await finger('touchEnd', []);
  await until('a slew', () => values('slew').at(-1) > 0.2);
  await phone.close();
});

test('a recording shows its controls as absent, and their keys are those of the viewer', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'taut-controls-'));
  const replay = await browser.page(pathToFileURL(writeReplay(folder, {seconds: 1})).href);
  assert.match(
      await replay.locator('#controls').innerText(),
      /not available in a recording: slew, hoist, trolley, wind, brake/i);
  assert.equal(await replay.locator('#controls input').count(), 0);
  await replay.keyboard.press('F1');
  assert.match((await replay.locator('#help').innerText()).replace(/\s+/g, ' '), /C show contact forces J/);
  await replay.close();
  fs.rmSync(folder, {recursive: true});
});

test('no page reported another error', () => assert.deepEqual(browser.errors, []));
