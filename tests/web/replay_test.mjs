// A replay file without network access: playing, seeking to exact times, comparison with reference images.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {openBrowser} from './browser.mjs';
import {compare, difference, takePicture} from './pictures.mjs';
import {writeReplay} from './replay_file.mjs';
import {until} from './waiting.mjs';

let folder, browser, page;
before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'taut-replay-'));
  browser = await openBrowser({width: 400, height: 250});
  await browser.context.setOffline(true);
  page = await browser.page(pathToFileURL(writeReplay(folder)).href);
});
after(async () => {
  await browser?.close();
  fs.rmSync(folder, {recursive: true, force: true});
});

const time = () => page.evaluate(() => window.taut.stats.time);

test('it starts playing when it is opened', async () => {
  await until('time to pass', async () => await time() > 0.1);
});

test('seek shows exactly the requested time', async () => {
  await page.evaluate(() => window.taut.seek(2));
  assert.equal(await time(), 2);
  const {position} = await page.evaluate(() => window.taut.body('load'));
  const angle = 0.35 * Math.sin(1.3 * 2);  // closed form of the mock scene
  assert.ok(Math.abs(position[0] - 4.4 * Math.sin(angle)) < 1e-5);
  assert.ok(Math.abs(position[2] - (6 - 4.4 * Math.cos(angle))) < 1e-5);
});

test('poses are interpolated between two frames', async () => {
  await page.evaluate(() => window.taut.seek(2 + 1 / 120));
  const {position} = await page.evaluate(() => window.taut.body('load'));
  assert.ok(Math.abs(position[0] - 4.4 * Math.sin(0.35 * Math.sin(1.3 * (2 + 1 / 120)))) < 1e-4);
});

// The largest force of the mock scene occurs at its lowest point: 15.064 t · (9.81 + 4.4 · (0.35 · 1.3)²) = 161.5 kN.
test('the colour range is fixed, up to the largest force of the whole recording', async () => {
  await page.evaluate(() => window.taut.seek(2));
  assert.match(await page.locator('#legend').textContent(), /16[12] kN/);
  assert.match(await page.locator('#legend').textContent(), /locked/);
});

test('a reading that was not recorded is reported as missing', async () => {
  await page.getByRole('button', {name: 'Settings'}).click();  // closed in a window as narrow as a phone
  const field = page.getByPlaceholder('add a reading …');
  await field.fill('body.load.speed');
  await field.press('Enter');
  await until('the notice', async () => /not in this recording/.test(await page.locator('#toast').innerText()));
});

test('it plays, pauses, steps and stops at its end', async () => {
  await page.evaluate(() => window.taut.seek(0));
  await page.keyboard.press('Space');
  await until('time to pass', async () => await time() > 0.2);
  await page.keyboard.press('Space');
  const paused = await time();
  await page.keyboard.press('ArrowRight');
  const stepped = await time();
  assert.ok(stepped > paused && stepped - paused <= 1 / 60 + 1e-9);
  await page.keyboard.press('ArrowLeft');
  assert.ok(await time() < stepped);
  await page.evaluate(() => window.taut.seek(99));
  assert.equal(await time(), 6);
});

test('images match the references', async () => {
  await page.evaluate(() => {
    window.taut.hidePanels();
    window.taut.seek(1);
  });
  const swung = await takePicture(page);
  compare('swing', swung);
  await page.evaluate(() => window.taut.camera({eye: [6, -9, 5], target: [0, 0, 2.5]}));
  compare('swing_from_near', await takePicture(page));
  await page.evaluate(() => {
    window.taut.seek(3.4);
  });
  const {mean} = difference(await takePicture(page), swung);
  assert.ok(mean > 1, `another time and camera look the same: ${mean}`);
});

test('no network request was made and no error was reported', () => assert.deepEqual(browser.errors, []));

test('a run that diverged ends with a banner, independent of the panels', async () => {
  const file = writeReplay(folder, {seconds: 1, diverged: true, name: 'diverged.html'});
  const other = await browser.page(pathToFileURL(file).href);
  await other.evaluate(() => window.taut.seek(0));
  assert.ok(await other.locator('#banner').isHidden());
  await other.keyboard.press('F2');
  await other.evaluate(() => window.taut.seek(1));
  assert.match(await other.locator('#banner').innerText(), /simulation failed here and the recording ends: joint gap too large/);
  await other.evaluate(() => window.taut.seek(0.5));
  assert.ok(await other.locator('#banner').isHidden());
  await other.close();
});

test('a truncated recording is reported instead of an empty page', async () => {
  const broken = path.join(folder, 'broken.html');
  const whole = fs.readFileSync(path.join(folder, 'replay.html'), 'utf8');
  const at = whole.indexOf('id="taut-frames">') + 'id="taut-frames">'.length;
  fs.writeFileSync(broken, whole.slice(0, at + 4000) + whole.slice(whole.indexOf('</script>', at)));
  const other = await browser.context.newPage();
  await other.goto(pathToFileURL(broken).href);
  await until('the notice', async () => /cannot be shown: frame \d+ of/.test(await other.locator('#fatal').innerText()));
  await other.close();
});
