// Draws the shapes of all bodies. Equal shapes are one instanced mesh, so a chain of a thousand links is one draw call.
import * as three from 'three';
import {colourAt} from './colour_scale';
import {isContainer} from './extent';
import {bodyMatrix} from './poses';
import {type Frame, type Scene, type Shape} from './protocol';
import {geometryKey, isRod, isSlender, makeGeometry, placementMatrix} from './shapes';

interface Instance {
  body: number;
  local: three.Matrix4;  // pose of the shape in the body
  own: three.Color;
  carries: boolean;  // coloured by force
  glass: boolean;    // transparent
}

interface Batch {
  mesh: three.InstancedMesh;
  instances: Instance[];
}

const kThinnest = 0.0022;  // minimum radius of a link over the size of the scene
const kSelected = new three.Color('#3aa0ff');

export class BodiesView {
  readonly group = new three.Group();
  private readonly batches: Batch[] = [];
  private readonly material = new three.MeshStandardMaterial({roughness: 0.5, metalness: 0.08});
  // Bodies that are coloured by force are lit uniformly, so that shading does not change the colour.
  private readonly carrier = new three.MeshStandardMaterial({roughness: 0.65, metalness: 0});
  private readonly glass =
      new three.MeshStandardMaterial({roughness: 0.4, transparent: true, opacity: 0.2, depthWrite: false});

  constructor(scene: Scene, first: Frame, size: number) {
    const pulled = new Set(scene.joints.flatMap(joint => joint.bodies));
    const glass = new Set(scene.bodies.flatMap((_, i) => isContainer(scene, first, i) ? [i] : []));
    const groups = new Map < string, {
      shape: Shape;
      instances: Instance[]
    }
    > ();
    const dot = 0.012 * size;
    scene.bodies.forEach((body, index) => {
      const moves = index > 0 && body.kind !== 'fixed';
      const plain = body.shapes.filter(shape => shape.kind !== 'plane');
      // a body without shapes is drawn as a small sphere
      if (plain.length === 0 && moves)
        plain.push({kind: 'sphere', size: [dot, 0, 0], p: body.com, q: [0, 0, 0, 1], colour: '#455a70'});
      for (const shape of plain) {
        const carries = moves && pulled.has(index) && isSlender(shape);
        const key = `${carries} ${glass.has(index)} ${geometryKey(shape)}`;
        const entry = groups.get(key) ?? {shape, instances: []};
        entry.instances.push({
          body: index,
          local: placementMatrix(shape.p, shape.q).scale(thickness(shape, carries, size)),
          own: new three.Color(lookOf(shape.colour)),
          carries,
          glass: glass.has(index),
        });
        groups.set(key, entry);
      }
    });
    for (const {shape, instances} of groups.values()) this.addBatch(shape, instances);
  }

  private addBatch(shape: Shape, instances: Instance[]): void {
    const {carries, glass} = instances[0]!;
    const material = glass ? this.glass : carries ? this.carrier : this.material;
    const mesh = new three.InstancedMesh(makeGeometry(shape), material, instances.length);
    if (shape.kind === 'height_field') mesh.material = Object.assign(material.clone(), {side: three.DoubleSide});
    mesh.castShadow = mesh.receiveShadow = !glass;
    mesh.frustumCulled = false;  // three.js would cull by the initial positions
    this.batches.push({mesh, instances});
    this.group.add(mesh);
  }

  get showsForces(): boolean { return this.batches.some(batch => batch.instances[0]!.carries); }

  // Indices of bodies that are coloured by force.
  carriers(): number[] {
    return this.batches.flatMap(batch => batch.instances.filter(i => i.carries).map(i => i.body));
  }

  // `shares`: force of each body as a fraction of the range; null: every shape has its own colour.
  update(frame: Frame, shares: ((body: number) => number)|null, selected: number): void {
    const [X, colour] = [new three.Matrix4(), new three.Color()];
    for (const {mesh, instances} of this.batches) {
      instances.forEach(({body, local, own, carries}, i) => {
        mesh.setMatrixAt(i, bodyMatrix(frame, body, X).multiply(local));
        if (carries && shares)
          colour.setRGB(...colourAt(shares(body)), three.SRGBColorSpace);
        else
          colour.copy(own);
        if (body === selected) colour.lerp(kSelected, 0.5);
        mesh.setColorAt(i, colour);
      });
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;  // recomputed for picking
    }
  }

  // The nearest body on a ray, and the intersection point.
  pick(ray: three.Raycaster): {body: number; point: three.Vector3}|null {
    const hit = ray.intersectObjects(this.group.children, false)[0];
    if (!hit || hit.instanceId === undefined) return null;
    const batch = this.batches.find(b => b.mesh === hit.object)!;
    return {body: batch.instances[hit.instanceId]!.body, point: hit.point};
  }

  dispose(): void {
    for (const {mesh} of this.batches) {
      mesh.geometry.dispose();
      (mesh.material as three.Material).dispose();
      mesh.dispose();
    }
    this.material.dispose();
    this.carrier.dispose();
    this.glass.dispose();
  }
}

// Bodies that are coloured by force get a minimum thickness, because a rope of 100 m would be thinner than a pixel.
function thickness(shape: Shape, carries: boolean, size: number): three.Vector3 {
  const wider = carries && isRod(shape) ? Math.max(1, kThinnest * size / shape.size[0]) : 1;
  return new three.Vector3(wider, wider, 1);
}

// Pure black and white are replaced, because their shading would not be visible.
function lookOf(colour: string): string {
  if (colour === '' || colour === '#888888') return '#8a94a0';
  if (colour === '#000000') return '#2b3038';
  if (colour === '#ffffff') return '#f1f3f5';
  return colour;
}
