// Triangle geometry of all kinds of shapes in their own axes, and their aspect ratio.
import * as three from 'three';
import {type Shape} from './protocol';

export type ShapeKind = 'box'|'sphere'|'capsule'|'cylinder'|'hull'|'mesh'|'height_field'|'plane';

// Shapes with the same key share their geometry and are drawn in one call.
export function geometryKey(shape: Shape): string {
  switch (shape.kind) {
    case 'hull':
    case 'mesh':
      return JSON.stringify([shape.kind, shape.points, shape.triangles]);
    case 'height_field':
      return JSON.stringify([shape.kind, shape.columns, shape.rows, shape.spacing, shape.heights]);
    default:
      return `${shape.kind} ${shape.size.join(' ')}`;
  }
}

export function makeGeometry(shape: Shape): three.BufferGeometry {
  const [x, y, z] = shape.size;
  switch (shape.kind) {
    case 'box':
      return new three.BoxGeometry(x, y, z);
    case 'sphere':
      return new three.SphereGeometry(x, 40, 24);
    // three.js creates both along y
    case 'capsule':
      return new three.CapsuleGeometry(x, z, 8, 24).rotateX(Math.PI / 2);
    case 'cylinder':
      return new three.CylinderGeometry(x, x, z, 40).rotateX(Math.PI / 2);
    case 'hull':
    case 'mesh':
      return faceted(shape.points ?? [], shape.triangles ?? []);
    case 'height_field':
      return heightField(shape);
    case 'plane':
      throw new Error('an infinite plane is drawn as ground');
  }
}

// Flat shading: each triangle has its own vertices.
function faceted(points: ArrayLike<number>[], triangles: ArrayLike<number>[]): three.BufferGeometry {
  const corners: number[] = [];
  for (const triangle of triangles)
    for (let k = 0; k < 3; ++k) {
      const point = points[triangle[k]!];
      if (!point) throw new Error(`a triangle refers to point ${triangle[k]}; the mesh has ${points.length}`);
      corners.push(point[0]!, point[1]!, point[2]!);
    }
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', new three.Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// Heights row by row, the first at the origin; columns run along x, rows along y.
function heightField({columns = 0, rows = 0, spacing = 1, heights = []}: Shape): three.BufferGeometry {
  if (heights.length !== columns * rows)
    throw new Error(`a height field of ${columns} by ${rows} with ${heights.length} heights`);
  const corners = heights.flatMap((z, i) => [(i % columns) * spacing, Math.floor(i / columns) * spacing, z]);
  const faces: number[] = [];
  for (let r = 0; r + 1 < rows; ++r)
    for (let c = 0; c + 1 < columns; ++c) {
      const a = r * columns + c;
      const [b, d, e] = [a + 1, a + columns, a + columns + 1];
      faces.push(a, b, e, a, e, d);
    }
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', new three.Float32BufferAttribute(corners, 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}

// Bounding box of a shape in its own axes.
export function shapeBox(shape: Shape): three.Box3 {
  const [x, y, z] = shape.size;
  const box = new three.Box3();
  const around = (a: number, b: number, c: number): three.Box3 =>
      box.set(new three.Vector3(-a, -b, -c), new three.Vector3(a, b, c));
  switch (shape.kind) {
    case 'box':
      return around(x / 2, y / 2, z / 2);
    case 'sphere':
      return around(x, x, x);
    case 'capsule':
      return around(x, x, z / 2 + x);
    case 'cylinder':
      return around(x, x, z / 2);
    case 'hull':
    case 'mesh':
      return box.setFromArray((shape.points ?? []).flat());
    case 'height_field': {
      const {columns = 1, rows = 1, spacing = 1, heights = []} = shape;
      for (const height of heights) box.expandByPoint(new three.Vector3(0, 0, height));
      return box.expandByPoint(new three.Vector3((columns - 1) * spacing, (rows - 1) * spacing, heights[0] ?? 0));
    }
    case 'plane':
      return box;
  }
}

// Whether its size is a radius and a length along z.
export function isRod(shape: Shape): boolean {
  return shape.kind === 'capsule' || shape.kind === 'cylinder';
}

// Length over thickness; the thickness is the second largest edge of the bounding box.
const kSlender = 2.2;

// Whether a shape is a link or rod, thin in two directions.
export function isSlender(shape: Shape): boolean {
  if (shape.kind !== 'box' && !isRod(shape)) return false;
  const edges = shapeBox(shape).getSize(new three.Vector3()).toArray().sort((a, b) => b - a);
  return edges[0]! >= kSlender * edges[1]!;
}

export function placementMatrix(p: ArrayLike<number>, q: ArrayLike<number>): three.Matrix4 {
  return new three.Matrix4().compose(
      new three.Vector3(p[0], p[1], p[2]), new three.Quaternion(q[0], q[1], q[2], q[3]), kOne);
}
const kOne = new three.Vector3(1, 1, 1);
