import assert from 'node:assert/strict';
import {test} from 'node:test';
import {colourAt, ForceRange, type Rgb} from '../src/colour_scale';

const linear = (c: number): number => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const lightness = (rgb: Rgb): number => luminanceLightness(rgb.map(linear) as Rgb);

// L* of CIELAB, D65, of linear light.
function luminanceLightness([r, g, b]: Rgb): number {
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

test('lightness rises uniformly: no step is twice or half of another', () => {
  const steps = Array.from({length: 20}, (_, i) => lightness(colourAt((i + 1) / 20)) - lightness(colourAt(i / 20)));
  const mean = steps.reduce((a, b) => a + b) / steps.length;
  for (const step of steps) assert.ok(step > mean / 2 && step < 2 * mean, `step of ${step} where the mean is ${mean}`);
});

// Simulation of colour blindness for linear light [Machado, Oliveira, Fernandes 2009, severity 1].
const kBlind = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

for (const [name, m] of Object.entries(kBlind))
  test(`lightness rises with ${name} as well`, () => {
    const seen = (share: number): number => {
      const light = colourAt(share).map(linear);
      return luminanceLightness(
          [0, 3, 6].map(at => m[at]! * light[0]! + m[at + 1]! * light[1]! + m[at + 2]! * light[2]!) as Rgb);
    };
    for (let i = 0; i < 20; ++i) assert.ok(seen((i + 1) / 20) > seen(i / 20) + 1, `at ${i / 20}`);
  });

test('values outside the range are clamped; NaN is grey', () => {
  assert.deepEqual(colourAt(-1), colourAt(0));
  assert.deepEqual(colourAt(7), colourAt(1));
  const [r, g, b] = colourAt(NaN);
  assert.ok(r === g && g === b);
});

test('the range rises immediately, decays slowly, and is constant if locked', () => {
  const range = new ForceRange(4);
  range.follow(100, 0.1);
  assert.equal(range.top, 100);
  range.follow(0, 4);
  assert.ok(Math.abs(range.top - 100 / Math.E) < 1e-9);
  range.locked = true;
  range.follow(1e6, 1);
  assert.ok(range.top < 100);
  range.locked = false;
  range.follow(Infinity, 1);
  assert.ok(Number.isFinite(range.top));
});
