import assert from 'node:assert/strict';
import {test} from 'node:test';
import {RateMeter, RingTable} from '../src/ring';

test('a full ring buffer drops the oldest row', () => {
  const ring = new RingTable(2, 3);
  for (let i = 0; i < 5; ++i) ring.push([i, 10 * i]);
  assert.deepEqual(ring.column(0), [2, 3, 4]);
  assert.deepEqual(ring.column(1), [20, 30, 40]);
  assert.deepEqual(ring.column(1, 2), [40]);
});

test('missing values of a row are gaps', () => {
  const ring = new RingTable(3, 4);
  ring.push([1, 2]);
  assert.deepEqual(ring.column(2), [null]);
});

test('a rewind removes later rows', () => {
  const ring = new RingTable(1, 4);
  for (let i = 0; i < 7; ++i) ring.push([i]);  // 3 4 5 6, wrapped around
  ring.dropFrom(5);
  assert.deepEqual(ring.column(0), [3, 4]);
  ring.push([4.5]);
  assert.deepEqual(ring.column(0), [3, 4, 4.5]);
  ring.dropFrom(-1);
  assert.equal(ring.length, 0);
});

test('find gives the first row at or after a time', () => {
  const ring = new RingTable(1, 4);
  for (let i = 0; i < 7; ++i) ring.push([i]);
  assert.deepEqual([2, 3, 3.5, 6, 7].map(time => ring.find(time)), [0, 0, 1, 3, 4]);
});

test('a ring buffer without rows is refused', () => assert.throws(() => new RingTable(1, 0), /at least one/));

test('the rate is that of the last two seconds', () => {
  const meter = new RateMeter(2);
  for (let i = 0; i <= 100; ++i) meter.tick(i / 10);
  assert.ok(Math.abs(meter.rate(10) - 10) < 0.6);
  for (let i = 1; i <= 150; ++i) meter.tick(10 + i / 60);
  assert.ok(Math.abs(meter.rate(12.5) - 60) < 1);
  assert.equal(meter.rate(100), 0);
});
