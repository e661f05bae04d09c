// Compares an image with the one in references/ (400 × 250 pixels). Both are averaged over cells of 4 × 4 pixels, so that
// edges and letters may move by a pixel.
//
// TAUT_PICTURES=write stores the images as references instead. On failure the new image is kept beside the test output.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {need} from './web_folder.mjs';

const {PNG} = need('pngjs');
const references = fileURLToPath(new URL('references/', import.meta.url));
const kCell = 4;
const kMean = 4, kWorst = 90;  // of 255: mean over the image, and maximum over the cells

function cells({width, height, data}) {
  const [columns, rows] = [Math.floor(width / kCell), Math.floor(height / kCell)];
  const out = new Float64Array(columns * rows * 3);
  for (let y = 0; y < rows * kCell; ++y)
    for (let x = 0; x < columns * kCell; ++x)
      for (let k = 0; k < 3; ++k)
        out[3 * (Math.floor(y / kCell) * columns + Math.floor(x / kCell)) + k] +=
            data[4 * (y * width + x) + k] / kCell ** 2;
  return out;
}

export function difference(a, b) {
  if (a.width !== b.width || a.height !== b.height) return {mean: 255, worst: 255};
  const [x, y] = [cells(a), cells(b)];
  let [sum, worst] = [0, 0];
  x.forEach((value, i) => {
    const d = Math.abs(value - y[i]);
    sum += d;
    worst = Math.max(worst, d);
  });
  return {mean: sum / x.length, worst};
}

// A screenshot of the page.
export async function takePicture(page, clip) { return PNG.sync.read(await page.screenshot({clip, scale: 'css'})); }

export function compare(name, picture) {
  const file = path.join(references, `${name}.png`);
  if (process.env.TAUT_PICTURES === 'write') {
    fs.mkdirSync(references, {recursive: true});
    fs.writeFileSync(file, PNG.sync.write(picture, {colorType: 2, deflateLevel: 9, filterType: 4}));
    return;
  }
  const {mean, worst} = difference(picture, PNG.sync.read(fs.readFileSync(file)));
  if (mean <= kMean && worst <= kWorst) return;
  const left = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'taut-picture-')), `${name}.png`);
  fs.writeFileSync(left, PNG.sync.write(picture));
  throw new Error(
      `${name} differs: by ${mean.toFixed(1)} in the mean (at most ${kMean}), ${worst.toFixed(0)} at worst ` +
      `(at most ${kWorst}) of 255; the new picture is ${left}`);
}
