// Extent of a scene: bounding box of its bodies, reach of hanging bodies, and height of the ground.
import * as three from 'three';
import {bodyMatrix, linkEnds, worldPoint} from './poses';
import {type Frame, type Scene} from './protocol';
import {placementMatrix, shapeBox} from './shapes';

const matrix = new three.Matrix4();

export function bodyBox(scene: Scene, frame: Frame, body: number): three.Box3 {
  const box = new three.Box3();
  bodyMatrix(frame, body, matrix);
  for (const shape of scene.bodies[body]!.shapes)
    if (shape.kind !== 'plane')
      box.union(shapeBox(shape).applyMatrix4(placementMatrix(shape.p, shape.q).premultiply(matrix)));
  if (body > 0) box.expandByPoint(worldPoint(frame, body, scene.bodies[body]!.com, new three.Vector3()));
  return box;
}

// Bounding box of all finite points; coordinates beyond `limit` belong to a diverged motion and are ignored.
export function sceneBox(scene: Scene, frame: Frame, limit = Infinity): three.Box3 {
  const box = new three.Box3();
  for (let i = 0; i < scene.bodies.length; ++i) {
    const part = bodyBox(scene, frame, i);
    if (part.isEmpty()) continue;
    const worst = Math.max(...part.min.toArray().map(Math.abs), ...part.max.toArray().map(Math.abs));
    if (worst <= limit) box.union(part);
  }
  const [a, b] = [new three.Vector3(), new three.Vector3()];
  for (const link of [...scene.joints, ...scene.springs]) {
    linkEnds(frame, link, a, b);
    for (const end of [a, b])
      if (Math.max(...end.toArray().map(Math.abs)) <= limit) box.expandByPoint(end);
  }
  if (box.isEmpty()) box.set(new three.Vector3(-0.5, -0.5, 0), new three.Vector3(0.5, 0.5, 1));
  return box;
}

const isHeld = (scene: Scene, body: number): boolean => body === 0 || scene.bodies[body]!.kind === 'fixed';

// A connection to another body by a joint at a point.
interface Way {
  to: number;
  at: three.Vector3;
}

// Lowest point that bodies hanging from an anchor can reach: height of the anchor minus the path length along the joints.
// This is a conservative bound, since it straightens every mechanism downwards.
export function hangingReach(scene: Scene, frame: Frame): number {
  const point = (side: number, link: {bodies: number[]; frames: {p: ArrayLike<number>}[]}): three.Vector3 =>
      worldPoint(frame, link.bodies[side]!, link.frames[side]?.p ?? [0, 0, 0], new three.Vector3());
  const neighbours = new Map<number, Way[]>();
  const entries: {body: number; at: three.Vector3; height: number}[] = [];
  for (const link of [...scene.joints, ...scene.springs]) {
    if (link.bodies.length < 2) continue;
    for (const [from, to] of [[0, 1], [1, 0]] as const) {
      const [a, b] = [link.bodies[from]!, link.bodies[to]!];
      if (isHeld(scene, b)) continue;
      const at = point(to, link);
      const gap = at.distanceTo(point(from, link));
      if (isHeld(scene, a)) {
        entries.push({body: b, at, height: point(from, link).z - gap});
        continue;
      }
      const ways = neighbours.get(a) ?? [];
      ways.push({to: b, at});
      neighbours.set(a, ways);
    }
  }

  let lowest = Infinity;
  const seen = new Set<number>();
  for (let i = 0; i < entries.length; ++i) {  // grows during the loop: breadth-first search
    const {body, at, height} = entries[i]!;
    if (seen.has(body)) continue;
    seen.add(body);
    const box = bodyBox(scene, frame, body);
    const corner = new three.Vector3(...[0, 1, 2].map(k => {
      const [low, high, here] = [box.min.getComponent(k), box.max.getComponent(k), at.getComponent(k)];
      return Math.abs(low - here) > Math.abs(high - here) ? low : high;
    }));
    lowest = Math.min(lowest, height - corner.distanceTo(at));
    for (const next of neighbours.get(body) ?? [])
      entries.push({body: next.to, at: next.at, height: height - next.at.distanceTo(at)});
  }
  return lowest;
}

// The outermost points of a motion in 26 directions, which suffice to frame it from any direction.
export class Outline {
  private readonly directions: three.Vector3[] = [];
  private readonly outermost: three.Vector3[] = [];

  constructor() {
    for (let x = -1; x <= 1; ++x)
      for (let y = -1; y <= 1; ++y)
        for (let z = -1; z <= 1; ++z)
          if (x || y || z) this.directions.push(new three.Vector3(x, y, z).normalize());
  }

  get points(): three.Vector3[] { return this.outermost; }

  add(point: three.Vector3): void {
    this.directions.forEach((direction, i) => {
      const known = this.outermost[i];
      if (!known)
        this.outermost[i] = point.clone();
      else if (point.dot(direction) > known.dot(direction))
        known.copy(point);
    });
  }

  // Adds all corners of all shapes except those beyond `limit`.
  addFrame(scene: Scene, frame: Frame, limit = Infinity): void {
    const [X, corner] = [new three.Matrix4(), new three.Vector3()];
    scene.bodies.forEach((body, index) => {
      for (const shape of body.shapes) {
        if (shape.kind === 'plane') continue;
        const box = shapeBox(shape);
        bodyMatrix(frame, index, X).multiply(placementMatrix(shape.p, shape.q));
        for (let i = 0; i < 8; ++i) {
          corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z)
              .applyMatrix4(X);
          if (corner.length() <= limit) this.add(corner);
        }
      }
      if (index > 0 && worldPoint(frame, index, body.com, corner).length() <= limit) this.add(corner);
    });
    const ends = [new three.Vector3(), new three.Vector3()] as const;
    for (const link of [...scene.joints, ...scene.springs]) {
      linkEnds(frame, link, ...ends);
      for (const end of ends)
        if (end.length() <= limit) this.add(end);
    }
  }
}

export interface Extent {
  box: three.Box3;      // region that the camera should show
  ground: number|null;  // height of the artificial ground; null if the scene has its own
}

// The ground is a plane of the scene, or below standing and driven bodies, or below the reach of all hanging bodies, so
// that nothing swings through it.
export function findExtent(scene: Scene, frame: Frame): Extent {
  const box = sceneBox(scene, frame);
  if (scene.bodies.some(body => body.shapes.some(shape => shape.kind === 'plane'))) return {box, ground: null};
  const size = box.getSize(new three.Vector3());
  if (stands(scene, frame, box)) return {box, ground: box.min.z};

  const driven = scene.joints.some(joint => /motor|servo/.test(joint.type));
  const reach = driven ? box.min.z : hangingReach(scene, frame);
  if (reach < box.min.z) {
    // a long chain on a low anchor moves sideways, but rarely by its full length
    box.min.z = Math.max(reach, box.min.z - size.length());
    // a body that starts on one side of its anchor swings to the other side
    const middle = anchorBox(scene, frame).getCenter(new three.Vector3());
    for (const corner of [box.min.clone(), box.max.clone()])
      box.expandByPoint(corner.set(2 * middle.x - corner.x, 2 * middle.y - corner.y, corner.z));
  }
  return {box, ground: box.min.z - 0.04 * box.getSize(new three.Vector3()).length()};
}

// Bounding box of the joints to fixed and kinematic bodies.
function anchorBox(scene: Scene, frame: Frame): three.Box3 {
  const [box, a, b] = [new three.Box3(), new three.Vector3(), new three.Vector3()];
  for (const joint of scene.joints)
    if (joint.bodies.some(body => isHeld(scene, body))) {
      linkEnds(frame, joint, a, b);
      box.expandByPoint(joint.bodies[0] !== undefined && isHeld(scene, joint.bodies[0]) ? a : b);
    }
  return box;
}

// Whether the scene stands on supports at its bottom (fixed shapes or joints to fixed bodies) and has some height.
function stands(scene: Scene, frame: Frame, box: three.Box3): boolean {
  const size = box.getSize(new three.Vector3());
  let lowest = anchorBox(scene, frame).min.z;
  scene.bodies.forEach((body, i) => {
    if (body.shapes.length > 0 && isHeld(scene, i)) lowest = Math.min(lowest, bodyBox(scene, frame, i).min.z);
  });
  return size.z > 0.25 * size.length() && lowest <= box.min.z + 0.1 * size.z;
}

// Whether a fixed body of several parts encloses most moving bodies, like a bin that would hide its content.
export function isContainer(scene: Scene, frame: Frame, body: number): boolean {
  const {kind, shapes} = scene.bodies[body]!;
  if (kind !== 'fixed' || shapes.filter(shape => shape.kind === 'box').length < 3) return false;
  const box = bodyBox(scene, frame, body);
  const moving = scene.bodies.flatMap(
      (other, i) => i > 0 && other.kind !== 'fixed' ? [worldPoint(frame, i, other.com, new three.Vector3())] : []);
  return moving.length > 0 && moving.filter(point => box.containsPoint(point)).length > moving.length / 2;
}
