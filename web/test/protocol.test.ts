import assert from 'node:assert/strict';
import {test} from 'node:test';
import {checkScene, decodeFrame, decodeFrames, decodeMessage, type Scene} from '../src/protocol';
import {sampleFrame} from './sample_frame';

test('a frame is decoded according to the specification', () => {
  const frame = decodeFrame(sampleFrame());
  assert.equal(frame.revision, 7);
  assert.equal(frame.time, 1.5);
  assert.equal(frame.step, 90);
  assert.equal(frame.flags, 4);
  assert.equal(frame.solves, 3);
  assert.deepEqual([...frame.poses], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  assert.deepEqual([...frame.joints], [14, 15, 16, 17, 18, 19]);
  assert.deepEqual([...frame.contacts], [20, 21, 22, 23, 24, 25, 26, 27, 28]);
  assert.deepEqual([...frame.plots], [29, 30]);
  assert.ok([...frame.target].every(Number.isNaN));
});

test('a frame of header and target only is valid', () => {
  assert.equal(decodeFrame(sampleFrame({bodies: 0, joints: 0, contacts: 0, plots: 0})).poses.length, 0);
});

test('truncated, too long and foreign frames are refused', () => {
  const whole = sampleFrame();
  assert.throws(() => decodeFrame(whole.slice(0, 40)), /the header has 48/);
  assert.throws(
      () => decodeFrame(whole.slice(0, whole.byteLength - 4)), /2 bodies, 1 joints, 1 contacts and 2 readings require/);
  const longer = new Uint8Array(whole.byteLength + 4);
  longer.set(new Uint8Array(whole));
  assert.throws(() => decodeFrame(longer.buffer), /frame of \d+ bytes/);
  new DataView(whole).setUint32(0, 1, true);
  assert.throws(() => decodeFrame(whole), /0x1 instead of 0x54554154/);
});

test('counts that exceed the length are refused', () => {
  const frame = sampleFrame();
  new DataView(frame).setUint32(32, 0xffffffff, true);
  assert.throws(() => decodeFrame(frame), /frame of/);
});

function recording(...frames: ArrayBuffer[]): ArrayBuffer {
  const bytes = frames.flatMap(frame => {
    const length = new Uint8Array(new Uint32Array([frame.byteLength]).buffer);
    return [...length, ...new Uint8Array(frame)];
  });
  return new Uint8Array(bytes).buffer;
}

test('a recording is a sequence of frames', () => {
  const frames = decodeFrames(recording(sampleFrame({time: 1}), sampleFrame({time: 2, contacts: 0})));
  assert.deepEqual(frames.map(frame => frame.time), [1, 2]);
  assert.deepEqual(frames.map(frame => frame.contacts.length), [9, 0]);
});

test('the error of a truncated recording gives the place', () => {
  const whole = recording(sampleFrame(), sampleFrame());
  assert.throws(() => decodeFrames(whole.slice(0, whole.byteLength - 8)), /frame 1 of \d+ bytes; the file holds/);
  assert.throws(
      () => decodeFrames(whole.slice(0, whole.byteLength / 2 + 2)), /frame 1: the file ends inside of its length/);
});

const scene = {
  type: 'scene',
  version: 1,
  bodies: [{}],
  joints: [],
  springs: [],
  parameters: [],
  readings: [],
  plots: []
} as unknown as Scene;

test('messages of an unknown type, version or body are refused', () => {
  assert.equal(decodeMessage(JSON.stringify(scene)).type, 'scene');
  assert.throws(() => decodeMessage('{"type":"song"}'), /unknown type "song"/);
  assert.throws(() => decodeMessage('[1]'), /without a type/);
  assert.throws(() => decodeMessage('{'), SyntaxError);
  assert.throws(() => checkScene({...scene, version: 2}), /version 2; this page reads version 1/);
  assert.throws(
      () => checkScene({...scene, joints: [{name: 'hook', type: 'ball', bodies: [0, 3], frames: []}]}),
      /hook names body 3; the scene has 1/);
});
