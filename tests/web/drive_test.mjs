// The driven crane with the engine: keys and a simulated gamepad move it, limit switches stop it.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {openBrowser} from './browser.mjs';
import {Engine} from './engine.mjs';
import {plugIn, tilt, unplug} from './gamepad.mjs';
import {until} from './waiting.mjs';

let engine, browser, page;
before(async () => {
  engine = await Engine.start('driven_crane');
  browser = await openBrowser();
  page = await browser.page(engine.address);
  await until('the status', async () => await status() !== null);
});
after(async () => {
  await browser?.close();
  await engine?.stop();
});

const body = name => page.evaluate(n => window.taut.body(n), name);
const height = async () => (await body('hook')).position[2];
const status = () => page.evaluate(() => window.taut.status);
const wanted = async name => (await status()).controls[name];
const time = () => page.evaluate(() => window.taut.stats.time);
const pass = async seconds => {
  const start = await time();
  await until(`${seconds} s of simulated time`, async () => await time() > start + seconds);
};

// Both ends of the ram at one moment: its length changes with its stroke only.
async function ramLength() {
  const [a, b] = await page.evaluate(() => ['cylinder', 'piston'].map(name => window.taut.body(name).position));
  return Math.hypot(...a.map((x, i) => x - b[i]));
}
// Changes by less than `tolerance` in half a second of simulated time, seen after as many such times as necessary.
const atRest = (what, measure, tolerance) => until(`${what} at rest`, async () => {
  const before = await measure();
  await pass(0.5);
  return Math.abs(await measure() - before) < tolerance;
});

test('a held key winds the rope up, its release stops the hook', async () => {
  const start = await height();
  await page.keyboard.down('e');
  await until('the hook to rise', async () => await height() > start + 0.3);
  assert.equal(await wanted('hoist'), 0.6);
  await page.keyboard.up('e');
  await until('the default', async () => await wanted('hoist') === 0);
  await atRest('the hook', height, 0.01);
  assert.ok(await height() > start + 0.3);
});

test('a window that loses the focus stops the hook, although the key is down', async () => {
  const start = await height();
  await page.keyboard.down('q');
  await until('the hook to sink', async () => await height() < start - 0.2);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await until('the default', async () => await wanted('hoist') === 0);
  await atRest('the hook', height, 0.01);
  await page.keyboard.up('q');
});

test('a simulated gamepad slews the crane; without the gamepad it stops', async () => {
  const azimuth = async () => {
    const [x, y] = (await body('hook')).position;
    return Math.atan2(y, x);
  };
  await plugIn(page);
  await tilt(page, 0, 0);
  await tilt(page, 0, -1);  // reversed: to the left is positive
  await until('the hook to the left', async () => await azimuth() > 0.15);
  assert.equal(await wanted('slew'), 0.2);
  await unplug(page);
  await until('the default', async () => await wanted('slew') === 0);
  const house = async () => (await body('house')).rotation[2];
  await atRest('the house', house, 1e-3);
  assert.ok(await house() > 0.1);
});

test('the limit switch stops the ram although the key is held, and lets it back', async () => {
  const speed = page.getByRole('button', {name: 'faster'});
  for (let i = 0; i < 2; ++i) await speed.click();  // five times real time
  const start = await ramLength();
  await page.keyboard.down('w');
  await until('the boom to rise', async () => await ramLength() > start + 0.3);
  await atRest('the ram', ramLength, 1e-3);
  const [end, dt] = [await ramLength() - start, (await status()).dt];
  // the stroke starts at 0; beyond the switch (1.2 m) the ram goes on for two steps at most (0.2 m/s): one until the switch
  // is read, and one in which the speed falls
  assert.ok(end >= 1.2 - 1e-3 && end <= 1.2 + 2 * 0.2 * dt, `stopped at ${end} m`);
  assert.equal(await wanted('luff'), 0.2, 'the key is still held');
  await page.keyboard.up('w');
  await page.keyboard.down('s');
  await until('the ram to go back', async () => await ramLength() < start + end - 0.2);
  await page.keyboard.up('s');
  await until('the default', async () => await wanted('luff') === 0);
});

test('no page reported an error', () => assert.deepEqual(browser.errors, []));
