// Messages of the engine (docs/viewer-protocol.md): the description of a scene, its status, and binary frames.
//
// All data are validated, because a partly decoded frame would be shown as a plausible but wrong picture.

import {type ShapeKind} from './shapes';

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];  // x, y, z, w

export interface Placement {
  p: Vec3;
  q: Quat;
}

export interface Shape extends Placement {
  kind: ShapeKind;
  size: Vec3;  // box: full edges; sphere: x = radius; capsule, cylinder: x = radius, z = length
  colour: string;
  points?: Vec3[];
  triangles?: Vec3[];
  columns?: number;
  rows?: number;
  spacing?: number;
  heights?: number[];
}

export interface Body {
  name: string;
  kind: 'rigid'|'particle'|'fixed'|'kinematic';
  mass: number;
  com: Vec3;
  shapes: Shape[];
}

export interface Joint {
  name: string;
  type: string;
  bodies: number[];
  frames: Placement[];
}

export interface Spring {
  name: string;
  kind: string;
  bodies: number[];
  frames: Placement[];
}

export interface Parameter {
  name: string;
  value: string;
  lowest: number|null;
  highest: number|null;
  choices: string[];
  unit: string;
  doc: string;
  adjustable: boolean;
}

export interface Reading {
  name: string;
  unit: string;
  doc: string;
}

// With the numbers of the browser's standard gamepad.
export type GamepadSource = {
  axis: number; reversed: boolean
}|{button: number};

// An input of the scene that can be changed at any time.
export interface Control {
  name: string;
  unit: string;
  lowest: number;
  highest: number;
  value: number;  // default
  type: 'axis'|'switch';
  keys: string[];  // KeyboardEvent.key in lower case: [raise, lower] of an axis, [toggle] of a switch, or []
  gamepad: GamepadSource|null;
  doc: string;
}

export interface Scene {
  type: 'scene';
  version: number;
  revision: number;
  name: string;
  title: string;
  file: string;
  duration: number;
  size: number;
  gravity: Vec3;
  bodies: Body[];
  joints: Joint[];
  springs: Spring[];
  parameters: Parameter[];
  controls: Control[];
  readings: Reading[];
  plots: string[];
  choices: {scheme: string[]; stabilisation: string[]; solver: string[]};
  scenes: {name: string; title: string}[];
}

export interface Status {
  type: 'status';
  paused: boolean;
  speed: number;
  dt: number;
  scheme: string;
  stabilisation: string;
  solver: string;
  max_solves: number;
  parameters: Record<string, string|number>;
  controls?: Record<string, number>;  // wanted values
  plots: string[];
  earliest: number;
  latest: number;
  banner: string|null;
  error: string|null;
  lateness: {p50: number; p99: number; worst: number};
  budget: number;
  pace?: number;  // simulated over real time, of the last second
  grabbed: number|null;
}

export interface Refused {
  type: 'refused';
  command: string;
  reason: string;
}

export type Message = Scene|Status|Refused;

export const kVersion = 1;
export const kMagic = 0x54554154;
export const kHeaderBytes = 48;

export const enum FrameFlag {
  Paused = 1,
  Diverged = 2,
  Unsettled = 4,
}

export interface Frame {
  revision: number;
  time: number;
  step: number;
  flags: number;
  solves: number;
  poses: Float32Array;     // 7 per body: position, quaternion
  joints: Float32Array;    // 6 per joint: force, torque
  contacts: Float32Array;  // 9 per contact: point, normal, force
  plots: Float32Array;
  target: Float32Array;  // of the mouse spring; NaN if no body is grabbed
}

// Decodes a frame of `length` bytes at `offset`. Its arrays are views of `buffer` if the alignment allows it.
export function decodeFrame(buffer: ArrayBuffer, offset = 0, length = buffer.byteLength - offset): Frame {
  if (length < kHeaderBytes) throw new Error(`frame of ${length} bytes; the header has ${kHeaderBytes}`);
  if (offset % 4 !== 0) return decodeFrame(buffer.slice(offset, offset + length));
  const head = new DataView(buffer, offset, length);
  const magic = head.getUint32(0, true);
  if (magic !== kMagic)
    throw new Error(`frame starts with 0x${magic.toString(16)} instead of 0x${kMagic.toString(16)}`);

  const [bodies, joints, contacts, plots] =
      [32, 36, 40, 44].map(at => head.getUint32(at, true)) as [number, number, number, number];
  const expected = kHeaderBytes + 4 * (7 * bodies + 6 * joints + 9 * contacts + plots + 3);
  if (length !== expected)
    throw new Error(
        `frame of ${length} bytes; ${bodies} bodies, ${joints} joints, ${contacts} contacts and ` +
        `${plots} readings require ${expected}`);

  let at = offset + kHeaderBytes;
  const take = (count: number): Float32Array => {
    const part = new Float32Array(buffer, at, count);
    at += 4 * count;
    return part;
  };
  return {
    revision: head.getUint32(4, true),
    time: head.getFloat64(8, true),
    step: head.getFloat64(16, true),
    flags: head.getUint32(24, true),
    solves: head.getUint32(28, true),
    poses: take(7 * bodies),
    joints: take(6 * joints),
    contacts: take(9 * contacts),
    plots: take(plots),
    target: take(3),
  };
}

// Decodes the frames of a replay file; each is preceded by its length and padded to a multiple of four bytes.
export function decodeFrames(buffer: ArrayBuffer): Frame[] {
  const view = new DataView(buffer);
  const frames: Frame[] = [];
  for (let at = 0; at < buffer.byteLength;) {
    if (at + 4 > buffer.byteLength) throw new Error(`frame ${frames.length}: the file ends inside of its length`);
    const length = view.getUint32(at, true);
    at += 4;
    if (at + length > buffer.byteLength)
      throw new Error(`frame ${frames.length} of ${length} bytes; the file holds ${buffer.byteLength - at} more`);
    frames.push(decodeFrame(buffer, at, length));
    at += Math.ceil(length / 4) * 4;
  }
  return frames;
}

// Decodes a text message of the engine and rejects invalid ones.
export function decodeMessage(text: string): Message {
  const message: unknown = JSON.parse(text);
  if (typeof message !== 'object' || message === null || !('type' in message))
    throw new Error('message without a type');
  const {type} = message as {type: unknown};
  if (type === 'scene') return checkScene(message as Scene);
  if (type === 'status' || type === 'refused') return message as Status | Refused;
  throw new Error(`message of unknown type ${JSON.stringify(type)}; known are scene, status, refused`);
}

export function checkScene(scene: Scene): Scene {
  if (scene.version !== kVersion)
    throw new Error(`scene of version ${scene.version}; this page reads version ${kVersion}`);
  for (const list of ['bodies', 'joints', 'springs', 'parameters', 'readings', 'plots'] as const)
    if (!Array.isArray(scene[list])) throw new Error(`scene without ${list}`);
  for (const link of [...scene.joints, ...scene.springs])
    for (const body of link.bodies)
      if (!(body >= 0 && body < scene.bodies.length))
        throw new Error(`${link.name} names body ${body}; the scene has ${scene.bodies.length}`);
  scene.controls ??= [];  // recordings of earlier versions have none
  for (const {name, lowest, value, highest, keys} of scene.controls)
    if (!(lowest <= value && value <= highest && lowest < highest) || !Array.isArray(keys))
      throw new Error(
          `control ${name} has default ${value}, range ${lowest} … ${highest} and keys ${JSON.stringify(keys)}`);
  return scene;
}
