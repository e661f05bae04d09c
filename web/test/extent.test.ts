import assert from 'node:assert/strict';
import {test} from 'node:test';
import {findExtent, hangingReach} from '../src/extent';
import {cellOf} from '../src/ground';
import {decodeFrame, type Body, type Frame, type Placement, type Scene, type Shape} from '../src/protocol';
import {isSlender} from '../src/shapes';
import {sampleFrame} from './sample_frame';

const still: [number, number, number, number] = [0, 0, 0, 1];
const place = (p: [number, number, number]): Placement => ({p, q: still});
const shape = (kind: Shape['kind'], size: [number, number, number]): Shape =>
    ({kind, size, colour: '', p: [0, 0, 0], q: still});
const body = (kind: Body['kind'], ...shapes: Shape[]): Body => ({name: 'b', kind, mass: 1, com: [0, 0, 0], shapes});
const make = (bodies: Body[], joints: Scene['joints'] = []): Scene =>
    ({bodies, joints, springs: []}) as unknown as Scene;
const frame = (...at: [number, number, number][]): Frame =>
    ({...decodeFrame(sampleFrame()), poses: new Float32Array(at.flatMap(p => [...p, ...still]))});

// two links of 1 m, released horizontally
const chain = make(
    [body('fixed'), body('rigid', shape('capsule', [0.05, 0, 0.9])), body('rigid', shape('sphere', [0.2, 0, 0]))], [
      {name: 'a', type: 'ball', bodies: [0, 1], frames: [place([0, 0, 0]), place([-0.5, 0, 0])]},
      {name: 'b', type: 'ball', bodies: [1, 2], frames: [place([0.5, 0, 0]), place([0, 0, 0])]},
    ]);
const level = frame([0, 0, 0], [0.5, 0, 0], [1, 0, 0]);

test('hanging bodies can reach down by their length', () => {
  const reach = hangingReach(chain, level);
  assert.ok(reach < -1.19 && reach > -1.5, `${reach}`);
});

test('the ground is below all hanging bodies', () => {
  const {ground, box} = findExtent(chain, level);
  assert.ok(ground! < -1.19);
  assert.ok(box.min.z < -1.19);
});

test('the ground is below standing bodies, and a plane of the scene is the ground', () => {
  const tower = make([body('fixed'), body('fixed', shape('box', [1, 1, 4]))]);
  assert.equal(findExtent(tower, frame([0, 0, 0], [0, 0, 3])).ground, 1);
  const floor = make([body('fixed', shape('plane', [0, 0, 0])), body('rigid', shape('box', [1, 1, 1]))]);
  assert.equal(findExtent(floor, frame([0, 0, 0], [0, 0, 0.5])).ground, null);
});

test('rods are slender, slabs and blocks are not', () => {
  assert.ok(isSlender(shape('capsule', [0.05, 0, 0.5])));
  assert.ok(isSlender(shape('box', [16, 0.5, 0.6])));
  assert.ok(isSlender(shape('cylinder', [0.2, 0, 3])));
  assert.ok(!isSlender(shape('box', [7, 6, 0.3])));
  assert.ok(!isSlender(shape('cylinder', [3, 0, 0.2])));
  assert.ok(!isSlender(shape('sphere', [1, 0, 0])));
});

test('cells of the grid are round lengths, for scenes of any size', () => {
  for (const size of [0.1, 0.7, 3, 25, 100, 4000]) {
    const cell = cellOf(size);
    assert.ok(size / cell >= 11.9 && size / cell <= 31, `${size}: ${cell}`);
    assert.match(cell.toExponential(0), /^[125]e/);
  }
});
