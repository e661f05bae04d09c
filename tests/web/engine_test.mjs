// The page with the engine.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {openBrowser} from './browser.mjs';
import {Engine} from './engine.mjs';
import {until} from './waiting.mjs';

let engine, browser, page;
before(async () => {
  engine = await Engine.start('crane');
  browser = await openBrowser();
  page = await browser.page(engine.address);
});
after(async () => {
  await browser?.close();
  await engine?.stop();
});

const body = name => page.evaluate(n => window.taut.body(n), name);
const status = () => page.evaluate(() => window.taut.status);
const stats = () => page.evaluate(() => window.taut.stats);
const away = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

test('the crane lifts its load', async () => {
  // from its start, however long the page took to load: at the end of the lift the load stays where it is
  await page.keyboard.press('Space');
  await until('a pause', async () => (await status()).paused);
  await page.keyboard.press('Backspace');
  await until('the start', async () => (await stats()).time === 0);
  const start = await body('hoist.load');
  assert.equal(start.mass, 15000);
  await page.keyboard.press('Space');
  await until(
      'the load to rise', async () => (await body('hoist.load')).position[2] > start.position[2] + 0.3);
  const {fps, connected} = await stats();
  assert.ok(connected && fps > 0, `${fps} frames a second`);
});

test('steps back may be faster than frames', async () => {
  await page.keyboard.press('Space');
  await until('a pause', async () => (await status()).paused);
  const {dt} = await status();
  let last = -1;
  await until('the last frame', async () => {
    const {time} = await stats();
    const same = time === last;
    last = time;
    return same;
  });
  for (let i = 0; i < 10; ++i) await page.keyboard.press('ArrowLeft');
  await until('ten steps back', async () => Math.abs((await stats()).time - (last - 10 * dt)) < dt / 4);
});

test('a refused number is replaced by the value of the engine', async () => {
  const field = page.locator('.slider-row[data-name=load] input[type=text]');
  await field.fill('abc');
  await field.press('Enter');
  await until('the value of the engine', async () => await field.inputValue() === '15 t');
  assert.doesNotMatch(await page.locator('#toast').innerText(), /--set/);
});

test('a Ctrl-drag moves the load', async () => {
  await until('a pause', async () => (await status()).paused);
  const [x, y] = await page.evaluate(() => window.taut.onScreen('hoist.load'));
  await page.keyboard.down('Control');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 150, y, {steps: 5});
  await until('the load to be held', async () => (await status()).grabbed !== null);
  const held = await status();
  assert.equal((await page.evaluate(() => window.taut.bodies()))[held.grabbed], 'hoist.load');
  const before = await body('hoist.load');
  await page.keyboard.up('Control');
  await page.keyboard.press('Space');  // continues, with the button down
  await until('the load to follow', async () => away((await body('hoist.load')).position, before.position) > 0.5);
  await page.mouse.up();
  await until('the load to be free', async () => (await status()).grabbed === null);
});

test('a slider changes the mass, and the motion continues', async () => {
  const {time} = await stats();
  await page.locator('.slider-row[data-name=load] input[type=range]').fill('667');
  await until('a load of ten tonnes', async () => Math.abs((await body('hoist.load'))?.mass - 10000) < 200);
  await until('the motion to go on', async () => (await stats()).time > time);
});

test('without stabilisation the heavy chain diverges, the page shows it, and a reset recovers', async () => {
  await page.locator('#scenes').selectOption('heavy_chain');
  await until('the chain', async () => (await body('chain.load'))?.mass === 10000);
  const choose = (name, value) => page.getByLabel(name, {exact: true}).selectOption(value);
  await choose('scheme', 'backward_euler');
  await choose('stabilisation', 'none');
  await until('the settings', async () => {
    const {scheme, stabilisation} = await status();
    return scheme === 'backward_euler' && stabilisation === 'none';
  });
  const before = (await stats()).revision;
  await page.keyboard.press('Backspace');
  await until('the scene from its start', async () => (await stats()).revision !== before);
  await until('the banner', () => page.locator('#banner').isVisible());
  assert.ok((await page.locator('#banner').innerText()).length > 20);

  // its button resets; the same method fails again
  const torn = (await stats()).revision;
  await page.locator('#banner button').click();
  await until('the scene anew', async () => (await stats()).revision !== torn);
  await until('the banner again', () => page.locator('#banner').isVisible());

  await choose('scheme', 'bdf2');
  await choose('stabilisation', 'tension');
  await page.keyboard.press('Backspace');
  await until('no banner', () => page.locator('#banner').isHidden());
  const {revision} = await stats();
  await until(
      'two seconds of motion', async () => (await stats()).time > 2 || (await stats()).revision !== revision);
  assert.ok(await page.locator('#banner').isHidden());
  assert.ok(away((await body('chain.load')).position, [0, 0, 0]) < 1.3);
});

test('no page reported an error', () => assert.deepEqual(browser.errors, []));
