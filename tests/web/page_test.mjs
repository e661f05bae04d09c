// The page with a mock engine: contents of the page, commands that it sends, release of the mouse spring.
import assert from 'node:assert/strict';
import {after, before, beforeEach, test} from 'node:test';
import {openBrowser} from './browser.mjs';
import {MockEngine} from './mock_engine.mjs';
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

const sent = name => engine.commands.filter(command => command.command === name);
const place = name => page.evaluate(body => window.taut.onScreen(body), name);
// Moves the crate back and returns its position on the screen.
async function crateAtHome() {
  engine.shift = [0, 0, 0];
  await page.keyboard.press('Escape');
  await until(
      'the crate at its place',
      async () => Math.abs((await page.evaluate(() => window.taut.body('crate'))).position[0] + 1) < 1e-3);
  return place('crate');
}
const text = selector => page.locator(selector).innerText();

test('frames arrive, are counted and drawn', async () => {
  const before = await page.evaluate(() => window.taut.stats);
  await until('frames', async () => (await page.evaluate(() => window.taut.stats)).drawn > before.drawn + 1);
  const stats = await page.evaluate(() => window.taut.stats);
  assert.ok(stats.frames > before.frames && stats.time > before.time && stats.connected);
  assert.match(await text('#line'), /\d+ frames\/s/);
  assert.match(await text('#legend'), /N/);
});

test('a double-click selects a body and shows its state', async () => {
  // at a moment at which nothing stands before the load, as the weight does later on
  engine.obey({command: 'rewind', time: 0});
  await until('the start', () => page.evaluate(() => window.taut.status.paused && window.taut.stats.time < 1e-6));
  // the camera may still be moving
  await until('the card of the load', async () => {
    await page.mouse.dblclick(...await place('load'));
    return /load/.test(await text('#body-card'));
  });
  assert.match(await text('#body-card'), /15 t/);
  assert.match(await text('#body-card'), /hook \(ball\)/);
  await page.keyboard.press('Escape');
  await until('no card', () => page.locator('#body-card').isHidden());
});

// Everything that can end a drag.
const endings = {
  'the button comes up': () => page.mouse.up(),
  'the pointer is cancelled': () => page.evaluate(
      () => document.getElementById('canvas').dispatchEvent(
          new PointerEvent('pointercancel', {pointerId: 1, bubbles: true}))),
  'the capture is lost': () => page.evaluate(() => document.getElementById('canvas').releasePointerCapture(1)),
  'the window loses the focus': () => page.evaluate(() => window.dispatchEvent(new Event('blur'))),
};
for (const [name, end] of Object.entries(endings))
  test(`a Ctrl-drag grabs, drags and releases when ${name}`, async () => {
    const [x, y] = await crateAtHome();
    await page.keyboard.down('Control');
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let i = 1; i <= 4; ++i) await page.mouse.move(x + 20 * i, y);
    await until('a drag', () => sent('drag').length > 0);
    await end();
    await until('a release', () => sent('release').length === 1);
    await page.mouse.up();
    await page.keyboard.up('Control');
    const [grab] = sent('grab');
    assert.equal((await page.evaluate(() => window.taut.bodies()))[grab.body], 'crate');
    assert.ok(grab.point.every(c => Math.abs(c) <= 0.41), `${grab.point} is outside of the crate`);
    // the plane faces the camera, which looks along +y: moving right is +x
    assert.ok(sent('drag').at(-1).target[0] > grab.target[0]);
    assert.equal(sent('release').length, 1);
    assert.equal(sent('grab').length, 1);
  });

test('a drag that ends without a connection is released after reconnection', async () => {
  const [x, y] = await crateAtHome();
  await page.keyboard.down('Control');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await until('a grab', () => sent('grab').length === 1);
  const back = engine.hangUp(1200);
  await until('word of the lost connection', () => page.locator('#lost').isVisible());
  await page.mouse.up();
  await page.keyboard.up('Control');
  await back;
  await until('a connection', () => page.locator('#lost').isHidden());
  await until('a release', () => sent('release').length > 0);
  const {frames} = await page.evaluate(() => window.taut.stats);
  await until('frames again', async () => (await page.evaluate(() => window.taut.stats)).frames > frames);
  browser.errors.length = 0;  // the browser reports a refused connection
});

test('without Ctrl a drag rotates the camera and sends nothing', async () => {
  const was = await place('load');
  const [x, y] = await place('crate');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y, {steps: 4});
  await page.mouse.up();
  await until('another view', async () => Math.hypot(...(await place('load')).map((c, i) => c - was[i])) > 5);
  assert.equal(engine.commands.length, 0);
});

test('the slider of the load is logarithmic', async () => {
  const slider = page.locator('.slider-row[data-name=load] input[type=range]');
  await slider.fill('500');
  await until('a mass', () => sent('set').some(({name, value}) => name === 'load' && Number(value) === 1000));
  await until(
      'the body to weigh that', async () => (await page.evaluate(() => window.taut.body('load'))).mass === 1000);
  const field = page.locator('.slider-row[data-name=load] input[type=text]');
  await field.fill('20 t');
  await field.press('Enter');
  await until('a typed mass', () => sent('set').some(({value}) => Number(value) === 20000));
});

test('lists and step size are sent as settings', async () => {
  await page.getByLabel('stabilisation', {exact: true}).selectOption('none');
  await until('a stabilisation', () => sent('settings').some(({stabilisation}) => stabilisation === 'none'));
  const field = page.locator('.slider-row[data-name="step size"] input[type=text]');
  await field.fill('1/240');
  await field.press('Enter');
  await until('a step', () => sent('settings').some(({dt}) => dt === 1 / 240));
});

test('keys work after use of a list or check box of the panel', async () => {
  const list = page.getByLabel('scheme', {exact: true});
  await list.focus();
  await list.selectOption('backward_euler');
  await page.keyboard.press('Backspace');
  await until('a reset', () => sent('reset').length === 1);
});

test('the velocity is unknown after a rewind', async () => {
  engine.say({paused: true});
  await until(
      'a pause', async () => page.evaluate(now => window.taut.status.paused && window.taut.stats.time === now, engine.time));
  engine.time += 0.5;
  const at = engine.time;
  await until('a later moment', async () => (await page.evaluate(() => window.taut.stats.time)) === at);
  const moving = await page.evaluate(() => window.taut.body('load'));
  assert.ok(Math.hypot(...moving.velocity) > 0 && Math.hypot(...moving.spin) > 0);
  engine.time -= 0.2;
  await until('an earlier moment', async () => (await page.evaluate(() => window.taut.stats.time)) < at);
  const back = await page.evaluate(() => window.taut.body('load'));
  assert.equal(back.velocity, null);
  assert.equal(back.spin, null);
  assert.equal(back.rotation.length, 3);
});

test('keys play, step, change the speed and reset', async () => {
  engine.say({paused: true, speed: 1});
  await until('a pause', () => page.evaluate(() => window.taut.status.paused && window.taut.status.speed === 1));
  for (const key of ['Space', 'ArrowRight', 'ArrowLeft', '+', 'Backspace']) await page.keyboard.press(key);
  await until('all commands', () => sent('reset').length === 1);
  assert.deepEqual(engine.commands.map(({command}) => command), ['play', 'step', 'rewind', 'speed', 'reset']);
  assert.equal(sent('speed')[0].value, 2);
});

test('F1 lists the keys, Esc closes the list', async () => {
  await page.keyboard.press('F1');
  assert.match(await text('#help'), /one step back/);
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('#help').isHidden());
});

test('banner, file error and refusals are shown, and the banner resets', async () => {
  engine.say({banner: 'The energy has risen from nothing.', error: 'mock.yaml:3:1: unknown key'});
  await until('the banner', () => page.locator('#banner').isVisible());
  assert.match(await text('#scene-error'), /mock.yaml:3:1/);
  await page.locator('#banner button').click();
  await until('a reset', () => sent('reset').length === 1);
  engine.say({error: null});
  await until(
      'no banner',
      async () => await page.locator('#banner').isHidden() && await page.locator('#scene-error').isHidden());
  await page.locator('#scenes').selectOption('other');
  await until('a refusal', async () => /the mock cannot do that/.test(await text('#toast')));
});

test('any reading can be plotted', async () => {
  const field = page.locator('.reading input');
  await field.fill('body.load.z');
  await field.press('Enter');
  await until('the list of readings', () => sent('plots').some(({readings}) => readings.includes('body.load.z')));
  await until('the curve', async () => /body\.load\.z/.test(await text('#plots')));
});

test('an invalid message is reported, and the next frame is shown', async () => {
  engine.send(Buffer.from('not a frame at all, but long enough to look like one, nearly'));
  await until('the notice', async () => /invalid message from the engine/.test(await text('#toast')));
  const {frames} = await page.evaluate(() => window.taut.stats);
  await until('frames', async () => (await page.evaluate(() => window.taut.stats)).frames > frames);
  browser.errors.length = 0;  // expected error
});

test('no page reported another error', () => assert.deepEqual(browser.errors, []));
