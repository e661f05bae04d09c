// Headless Chromium with WebGL in software and without background network access.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {need} from './web_folder.mjs';

const {chromium} = need('playwright-core');
const kProgram = process.env.TAUT_CHROMIUM ?? '/usr/bin/chromium';
const kFlags = [
  '--headless=new', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--force-color-profile=srgb', '--hide-scrollbars'
];

// A context with a window of the given size; close() also removes its folder.
export async function openBrowser({width = 1280, height = 800} = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'taut-web-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: kProgram,
    headless: false,  // the flag above selects the headless mode
    args: kFlags,
    viewport: {width, height},
  });
  context.setDefaultTimeout(600000);  // nets against hangs, not measures of speed
  context.setDefaultNavigationTimeout(600000);
  const errors = [];
  context.on('weberror', error => errors.push(error.error().message));
  context.on('console', message => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return {
    context,
    errors,  // errors of the pages
    page: async address => {
      const page = await context.newPage();
      await page.goto(address);
      await page.waitForFunction(() => window.taut?.ready(), null, {timeout: 600000});
      return page;
    },
    close: async () => {
      await context.close();
      fs.rmSync(folder, {recursive: true, force: true, maxRetries: 5});  // Chromium may still write
    },
  };
}
