import assert from 'node:assert/strict';
import {test} from 'node:test';
import {decodeFrame, type Frame, type Scene} from '../src/protocol';
import {kSolves, Series, usualReadings} from '../src/series';
import {sampleFrame} from './sample_frame';

const readings = [['energy.total', 'J'], ['gap.max', 'm'], ['energy.kinetic', 'J'], ['body.a.x', 'm']].map(
    ([name, unit]) => ({name: name!, unit: unit!, doc: ''}));
const scene = (plots: string[]): Scene => ({readings, plots}) as unknown as Scene;
const frame = (time: number, ...plots: number[]): Frame =>
    ({...decodeFrame(sampleFrame()), time, solves: 2, plots: new Float32Array(plots)});

test('readings with the same unit share a plot, solves have their own', () => {
  const series = new Series(scene([]));
  assert.deepEqual(series.diagrams(['energy.total', kSolves, 'gap.max', 'energy.kinetic']), [
    {unit: 'J', curves: ['energy.total', 'energy.kinetic']}, {unit: '', curves: [kSolves]},
    {unit: 'm', curves: ['gap.max']}
  ]);
});

test('curves continue when the list of readings changes', () => {
  const series = new Series(scene(['energy.total', 'gap.max']));
  series.add(frame(0, 10, 1));
  series.setCarried(['gap.max', 'body.a.x']);
  series.add(frame(1, 2, 5));
  assert.deepEqual(series.data(['gap.max', 'body.a.x', kSolves], 0), [[0, 1], [1, 2], [null, 5], [2, 2]]);
  assert.deepEqual(series.data(['energy.total'], 0)[1], [null, null]);
});

test('a rewind truncates curves; a frame of another list is ignored', () => {
  const series = new Series(scene(['gap.max']));
  for (let i = 0; i < 5; ++i) series.add(frame(i, i));
  series.add(frame(2, 7));
  series.add(frame(3, 1, 2));
  assert.deepEqual(series.data(['gap.max'], 0), [[0, 1, 2], [0, 1, 7]]);
  assert.equal(series.valueAt('gap.max', 1.5), 1);
  assert.ok(Number.isNaN(series.valueAt('energy.total', 1)));
});

test('long curves are thinned to at least half of the requested points', () => {
  const series = new Series(scene(['gap.max']));
  series.load(Array.from({length: 5000}, (_, i) => frame(i, i)));
  const [times] = series.data(['gap.max'], 0, 600);
  assert.ok(times!.length > 300 && times!.length <= 600);
});

test('energy and gap are shown where a scene has them', () => {
  assert.deepEqual(usualReadings(scene([])), ['energy.total', 'energy.kinetic', 'gap.max']);
  assert.deepEqual(usualReadings({readings: [], plots: ['a', 'b']} as unknown as Scene), ['a', 'b']);
});
