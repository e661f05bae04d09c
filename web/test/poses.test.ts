import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as three from 'three';
import {blend, bodyPoint, carriedForces, indexAt, worldPoint} from '../src/poses';
import {decodeFrame, type Frame, type Scene} from '../src/protocol';
import {sampleFrame} from './sample_frame';

function frameOf(poses: number[], joints: number[] = [], time = 0): Frame {
  return {...decodeFrame(sampleFrame()), time, poses: new Float32Array(poses), joints: new Float32Array(joints)};
}
const half = Math.SQRT1_2;

test('points are transformed to the world and back', () => {
  const frame = frameOf([0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 0, 0, half, half]);  // rotation by 90° about z
  const there = worldPoint(frame, 1, [1, 0, 0], new three.Vector3());
  assert.ok(there.distanceTo(new three.Vector3(1, 3, 3)) < 1e-6);
  assert.ok(bodyPoint(frame, 1, there, new three.Vector3()).distanceTo(new three.Vector3(1, 0, 0)) < 1e-6);
});

test('a body carries the largest force of its joints; one without joints none', () => {
  const scene = {bodies: [{}, {}, {}, {}], joints: [{bodies: [0, 1]}, {bodies: [1, 2]}]} as unknown as Scene;
  const carried = carriedForces(scene, frameOf([], [3, 4, 0, 9, 9, 9, 0, 0, -7, 0, 0, 0]), new Float64Array(4));
  assert.deepEqual([...carried].map(x => Number.isNaN(x) ? null : x), [null, 7, 7, null]);
});

test('a broken joint carries no force', () => {
  const scene = {bodies: [{}, {}], joints: [{bodies: [0, 1]}, {bodies: [0, 1]}]} as unknown as Scene;
  const carried =
      carriedForces(scene, frameOf([], [0, 0, 5, 0, 0, 0, NaN, NaN, NaN, NaN, NaN, NaN]), new Float64Array(2));
  assert.equal(carried[1], 5);
});

test('interpolation halfway between two frames', () => {
  const a = frameOf([0, 0, 0, 0, 0, 0, 1], [], 1);
  const b = frameOf([2, 0, 0, 0, 0, 1, 0], [], 2);
  const middle = blend(a, b, 0.5);
  assert.equal(middle.time, 1.5);
  assert.equal(middle.poses[0], 1);
  assert.ok(Math.abs(middle.poses[5]! - half) < 1e-6 && Math.abs(middle.poses[6]! - half) < 1e-6);
  assert.equal(blend(a, b, 0), a);
  assert.equal(blend(a, frameOf([], [], 2), 0.5), a);  // frame of another scene
});

test('the frame of a time is the last one at or before it', () => {
  assert.deepEqual([-1, 0, 0.4, 1, 9].map(time => indexAt([0, 0.5, 1], time)), [0, 0, 0, 2, 2]);
});
