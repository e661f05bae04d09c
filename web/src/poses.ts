// Reads frames: poses of bodies, forces of joints, interpolation between two frames.
import * as three from 'three';
import {type Frame, type Placement, type Scene} from './protocol';

const kOne = new three.Vector3(1, 1, 1);
const scratch = {
  p: new three.Vector3(),
  q: new three.Quaternion()
};

export function bodyMatrix(frame: Frame, body: number, out: three.Matrix4): three.Matrix4 {
  const at = 7 * body;
  scratch.p.fromArray(frame.poses, at);
  scratch.q.fromArray(frame.poses, at + 3);
  return out.compose(scratch.p, scratch.q, kOne);
}

// World position of a point in body axes.
export function worldPoint(frame: Frame, body: number, point: ArrayLike<number>, out: three.Vector3): three.Vector3 {
  scratch.q.fromArray(frame.poses, 7 * body + 3);
  return out.set(point[0]!, point[1]!, point[2]!)
      .applyQuaternion(scratch.q)
      .add(scratch.p.fromArray(frame.poses, 7 * body));
}

// The inverse.
export function bodyPoint(frame: Frame, body: number, point: three.Vector3, out: three.Vector3): three.Vector3 {
  scratch.q.fromArray(frame.poses, 7 * body + 3).conjugate();
  return out.copy(point).sub(scratch.p.fromArray(frame.poses, 7 * body)).applyQuaternion(scratch.q);
}

// The two end points of a joint or spring; a missing body is the world.
export function linkEnds(
    frame: Frame, link: {bodies: number[]; frames: Placement[]}, a: three.Vector3, b: three.Vector3): void {
  worldPoint(frame, link.bodies[0] ?? 0, link.frames[0]?.p ?? [0, 0, 0], a);
  worldPoint(frame, link.bodies[1] ?? 0, link.frames[1]?.p ?? [0, 0, 0], b);
}

export function jointForce(frame: Frame, joint: number): number {
  const at = 6 * joint;
  return Math.hypot(frame.joints[at]!, frame.joints[at + 1]!, frame.joints[at + 2]!);
}

// The largest joint force of each body; NaN if it has no joint. Broken joints, whose force is NaN, are ignored.
export function carriedForces(scene: Scene, frame: Frame, out: Float64Array): Float64Array {
  out.fill(NaN);
  scene.joints.forEach((joint, i) => {
    const force = jointForce(frame, i);
    for (const body of joint.bodies)
      if (body > 0 && !Number.isNaN(force) && !(out[body]! >= force)) out[body] = force;
  });
  return out;
}

// Interpolates two frames of a recording. Contacts are those of the earlier frame, because they cannot be matched.
export function blend(a: Frame, b: Frame, share: number): Frame {
  if (share <= 0 || a.poses.length !== b.poses.length || a.revision !== b.revision) return a;
  const mix = (x: Float32Array, y: Float32Array): Float32Array => x.map((value, i) => value + share * (y[i]! - value));
  const poses = mix(a.poses, b.poses);
  const [qa, qb] = [new three.Quaternion(), new three.Quaternion()];
  for (let at = 3; at < poses.length; at += 7)
    qa.fromArray(a.poses, at).slerp(qb.fromArray(b.poses, at), share).toArray(poses, at);
  return {...a, poses, joints: mix(a.joints, b.joints), time: a.time + share * (b.time - a.time)};
}

// Index of the last time at or before `time`; 0 before the first.
export function indexAt(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return Math.max(0, low - 1);
}
