import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseNumber, shortNumber, stepText, stripUnit, withUnit} from '../src/numbers';

test('numbers are short', () => {
  assert.deepEqual(
      [0, 1, 0.1, 1 / 60, 1470.2, 999999, 1.5e9, 1.234e-9, -2.5, NaN, -Infinity].map(x => shortNumber(x)),
      ['0', '1', '0.1', '0.0167', '1470', '999999', '1.5e9', '1.23e−9', '−2.5', '–', '−∞']);
});

test('units have the usual prefixes', () => {
  assert.equal(withUnit(147150, 'N'), '147 kN');
  assert.equal(withUnit(0.0002, 's'), '200 µs');
  assert.equal(withUnit(1500, 'm'), '1500 m');
  assert.equal(withUnit(15000, 'kg'), '15 t');
  assert.equal(withUnit(15, 'kg'), '15 kg');
  assert.equal(withUnit(0, 'N'), '0 N');
  assert.equal(withUnit(3, '-'), '3');
  assert.equal(withUnit(0.002, 'rad/s'), '0.002 rad/s');
  assert.equal(withUnit(0.5, 'm/s'), '500 mm/s');
});

test('numbers of one scale have the prefix of its end', () => {
  assert.equal(withUnit(0.5, 'm/s', 3, 2), '0.5 m/s');
  assert.equal(withUnit(0, 'N', 3, 2e5), '0 kN');
  assert.equal(withUnit(500, 'kg', 3, 15000), '0.5 t');
});

test('user input is a number, a fraction or NaN', () => {
  assert.equal(parseNumber('1/60'), 1 / 60);
  assert.equal(parseNumber(' 1e-3 '), 1e-3);
  assert.equal(parseNumber('1,5'), 1.5);
  for (const text of ['', 'x', '1/', '1/2/3', '/2']) assert.ok(Number.isNaN(parseNumber(text)), text);
});

test('step sizes are shown as fractions if possible', () => {
  assert.equal(stepText(1 / 60), '1/60');
  assert.equal(stepText(0.0123), '0.0123');
});

test('a typed unit is removed together with its prefix', () => {
  assert.equal(stripUnit('20 t', 'kg'), '20000');
  assert.equal(stripUnit('20 kg', 'kg'), '20');
  assert.equal(stripUnit('1.5 kN', 'N'), '1500');
  assert.equal(stripUnit('−3 mm', 'm'), '-0.003');
  assert.equal(stripUnit('7', 'kg'), '7');
  assert.equal(stripUnit('2 * pi', 'rad'), '2 * pi');
  assert.equal(stripUnit('5 apples', 'kg'), '5 apples');
});
