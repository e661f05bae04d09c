// Measures the start-up time and frame rate of the page of `taut view` and prints a table.
//
//     node tests/web/rate.mjs [SECONDS]
import {openBrowser} from './browser.mjs';
import {Engine} from './engine.mjs';
import {until} from './waiting.mjs';

const seconds = Number(process.argv[2] ?? 15);

async function measure(title, ...options) {
  const engine = await Engine.start(...options);
  const browser = await openBrowser({width: 640, height: 400});  // small, because rendering is in software
  const start = Date.now();
  const page = await browser.page(engine.address);
  const stats = () => page.evaluate(() => window.taut.stats);
  const {time} = await stats();
  await until('the motion', async () => (await stats()).time > time);
  const moving = (Date.now() - start) / 1000;
  const rates = [];
  for (let i = 0; i < seconds; ++i) {
    await new Promise(done => setTimeout(done, 1000));
    rates.push((await stats()).fps);
  }
  const {lateness, pace} = await page.evaluate(() => window.taut.status);
  rates.sort((a, b) => a - b);
  const ms = x => (1000 * x).toFixed(2);
  const median = rates[rates.length >> 1].toFixed(1), least = rates[0].toFixed(1);
  console.log(`| ${title} | ${moving.toFixed(1)} | ${median} (${least}) | ${pace.toFixed(3)} | ${ms(lateness.p50)} | ${
      ms(lateness.p99)} | ${ms(lateness.worst)} |`);
  await browser.close();
  await engine.stop();
}

console.log(
    '| scene | moves after [s] | frames a second in the page: median (least) | simulated over real time | ' +
    'steps late by, median [ms] | 99 % | worst |\n|---|---|---|---|---|---|---|');
await measure('crane', 'crane');
await measure('200 links', 'heavy_chain', '--set', 'links=200');
