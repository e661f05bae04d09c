// The card of the selected body: mass, pose, velocity and the forces of its joints.
import * as three from 'three';
import {el, setText} from './dom';
import {shortNumber, withUnit} from './numbers';
import {jointForce, worldPoint} from './poses';
import {type Frame, type Scene} from './protocol';

const kMostJoints = 6;

export interface BodyState {
  name: string;
  kind: string;
  mass: number;
  position: [number, number, number];  // of the centre of mass [m]
  rotation: [number, number, number];  // rotation vector relative to the world axes [rad]
  // from the last two frames [m/s, rad/s]; null if not available, as after a rewind
  velocity: [number, number, number]|null;
  spin: [number, number, number]|null;
  joints: {name: string; type: string; force: number}[];
}

function bodyRotation(frame: Frame, body: number): three.Quaternion {
  return new three.Quaternion().fromArray(frame.poses, 7 * body + 3);
}

// Rotation vector (axis times angle) with an angle of at most π [rad].
export function rotationVector(q: three.Quaternion): three.Vector3 {
  const sign = q.w < 0 ? -1 : 1;
  const axis = new three.Vector3(q.x, q.y, q.z).multiplyScalar(sign);
  const sine = axis.length();
  return sine < 1e-9 ? axis.multiplyScalar(2) : axis.multiplyScalar(2 * Math.atan2(sine, sign * q.w) / sine);
}

export function bodyState(scene: Scene, frame: Frame, before: Frame|null, body: number): BodyState {
  const {name, kind, mass, com} = scene.bodies[body]!;
  const now = worldPoint(frame, body, com, new three.Vector3());
  const turned = bodyRotation(frame, body);
  const dt = before && before.revision === frame.revision ? frame.time - before.time : 0;
  let velocity: BodyState['velocity'] = null, spin: BodyState['spin'] = null;
  if (before && dt > 0) {
    const then = worldPoint(before, body, com, new three.Vector3());
    velocity = now.clone().sub(then).divideScalar(dt).toArray();
    spin = rotationVector(turned.clone().multiply(bodyRotation(before, body).conjugate())).divideScalar(dt).toArray();
  }
  const joints = scene.joints.flatMap(
      (joint, i) =>
          joint.bodies.includes(body) ? [{name: joint.name, type: joint.type, force: jointForce(frame, i)}] : []);
  return {
    name,
    kind,
    mass,
    position: now.toArray(),
    rotation: rotationVector(turned).toArray(),
    velocity,
    spin,
    joints,
  };
}

export class BodyCard {
  readonly element: HTMLElement;
  private readonly title = el('b');
  private readonly rows = el('table');
  private readonly followButton: HTMLButtonElement;

  constructor(follow: () => void, close: () => void) {
    this.followButton =
        el('button', {click: follow, title: 'follow the body with the camera (Ctrl + right double-click)'}, 'follow');
    this.element =
        el('div', {class: 'card body-card', id: 'body-card', hidden: ''},
           el('div', {class: 'head'}, this.title, this.followButton,
              el('button', {click: close, title: 'clear selection (Esc)'}, '×')),
           this.rows);
  }

  show(state: BodyState|null, followed: boolean): void {
    this.element.hidden = state === null;
    if (!state) return;
    setText(this.title, state.name);
    setText(this.followButton, followed ? 'following' : 'follow');
    const vector = (v: number[], unit: string): string =>
        `${v.map(x => shortNumber(Math.abs(x) < 5e-5 ? 0 : x)).join(', ')} ${unit}`;
    const {position, rotation, velocity, spin} = state;
    const degrees = rotation.map(x => Math.round(x * 1800 / Math.PI) / 10);
    const lines: [string, string][] = [
      ['mass', state.kind === 'rigid' || state.kind === 'particle' ? withUnit(state.mass, 'kg') : state.kind],
      ['position', vector(position, 'm')],
      ['rotation', vector(degrees, '°')],
      ['velocity', velocity ? vector(velocity, 'm/s') : '–'],
      ['speed', velocity ? `${shortNumber(Math.hypot(...velocity))} m/s` : '–'],
      ['angular velocity', spin ? vector(spin, 'rad/s') : '–'],
      ...state.joints.slice(0, kMostJoints)
          .map(
              ({name, type, force}):
                  [string, string] => [`${name} (${type})`, Number.isNaN(force) ? 'broken' : withUnit(force, 'N')]),
    ];
    if (state.joints.length > kMostJoints) lines.push(['…', `${state.joints.length - kMostJoints} more joints`]);
    while (this.rows.rows.length > lines.length) this.rows.deleteRow(-1);
    lines.forEach(([name, value], i) => {
      const row = this.rows.rows[i] ?? this.rows.insertRow();
      while (row.cells.length < 2) row.insertCell();
      setText(row.cells[0]!, name);
      setText(row.cells[1]!, value);
    });
  }
}
