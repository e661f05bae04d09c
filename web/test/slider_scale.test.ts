import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Parameter} from '../src/protocol';
import {makeScale, positionOf, scaleOf, valueAt} from '../src/slider_scale';

const parameter =
    (value: number|string, lowest: number|null, highest: number|null, unit = 'kg', choices: string[] = []): Parameter =>
        ({name: 'p', value: String(value), lowest, highest, unit, choices, doc: '', adjustable: true});

test('a load from 1 kg to 1000 t has a logarithmic scale', () => {
  const scale = scaleOf(parameter(15000, 1, 1e6))!;
  assert.ok(scale.logarithmic);
  assert.equal(positionOf(scale, 1), 0);
  assert.equal(positionOf(scale, 1000), 0.5);
  assert.equal(positionOf(scale, 1e6), 1);
  assert.equal(valueAt(scale, 0.5), 1000);
});

test('a logarithmic scale requires two decades above zero', () => {
  assert.ok(makeScale(1, 100).logarithmic);
  assert.ok(!makeScale(1, 99).logarithmic);
  assert.ok(!makeScale(0, 1e6).logarithmic);
  assert.ok(!makeScale(-1, 1e6).logarithmic);
});

test('the round trip changes a value by less than its third digit', () => {
  for (const scale of [makeScale(1, 1e6), makeScale(-3, 40), makeScale(1e-9, 1e9), makeScale(0, 0.02)])
    for (let i = 0; i <= 50; ++i) {
      const value = valueAt(scale, i / 50);
      const again = valueAt(scale, positionOf(scale, value));
      assert.ok(
          Math.abs(again - value) <= 0.005 * Math.max(Math.abs(value), scale.highest - scale.lowest) + 1e-15,
          `${value} became ${again}`);
      assert.ok(value >= scale.lowest && value <= scale.highest);
    }
});

test('the ends are exact, and values beyond them are clamped', () => {
  const scale = makeScale(0.123456, 987.654);
  assert.equal(valueAt(scale, 0), 0.123456);
  assert.equal(valueAt(scale, 1), 987.654);
  assert.equal(positionOf(scale, 1e9), 1);
  assert.equal(positionOf(scale, -5), 0);
});

test('integers stay whole, quantities with a unit do not', () => {
  const links = scaleOf(parameter(10, 1, 100000, ''))!;
  assert.ok(links.whole);
  for (let i = 0; i <= 20; ++i) assert.ok(Number.isInteger(valueAt(links, i / 20)));
  assert.ok(!scaleOf(parameter(10, 1, 100000, 'kg'))!.whole);
  assert.ok(!scaleOf(parameter(1e4, 1e-3, 1e9, ''))!.whole);
});

test('default bounds contain the value', () => {
  for (const p
           of [parameter(0.3, null, null), parameter(-7, null, null), parameter(8, 0.01, null),
               parameter(0, null, null), parameter(5, null, 9)]) {
    const scale = scaleOf(p)!;
    assert.ok(
        scale.lowest < Number(p.value) + 1e-12 && scale.highest > Number(p.value), JSON.stringify([p.value, scale]));
    if (p.lowest !== null) assert.ok(scale.lowest >= p.lowest);
    if (p.highest !== null) assert.equal(scale.highest, p.highest);
  }
});

test('text, formulas and empty ranges have no slider', () => {
  assert.equal(scaleOf(parameter('ball', null, null, '', ['ball', 'hinge'])), null);
  assert.equal(scaleOf(parameter('2 * pi', 0, 10)), null);
  assert.equal(scaleOf(parameter('', 0, 10)), null);
  assert.equal(scaleOf(parameter(3, 3, 3)), null);
});
