// Draws connections between bodies: rods and ropes coloured by force, springs as coils, and the mouse spring.
import * as three from 'three';
import {colourAt} from './colour_scale';
import {jointForce, linkEnds, worldPoint} from './poses';
import {type Frame, type Scene, type Spring} from './protocol';
import {Segments, unitCoil, unitRod} from './segments';

// Joint types with two distinct points, drawn as a line between them.
const kLineJoints = new Set(['rod', 'rope', 'distance']);

export class LinksView {
  readonly group = new three.Group();
  readonly rods: number[];
  private readonly springs: Spring[];
  private readonly rodLines: Segments;
  private readonly coils: Segments;
  private readonly pull: Segments;
  private readonly handle: three.Mesh;
  private readonly radius: number;

  constructor(private readonly scene: Scene, size: number) {
    const matte = (): three.Material => new three.MeshStandardMaterial({roughness: 0.6, metalness: 0.05});
    this.rods = scene.joints.flatMap((joint, i) => kLineJoints.has(joint.type) ? [i] : []);
    this.springs = scene.springs;
    this.radius = 0.006 * size;
    this.rodLines = new Segments(unitRod(), matte(), this.rods.length);
    this.coils = new Segments(unitCoil(), matte(), this.springs.length);
    this.pull = new Segments(unitRod(), new three.MeshBasicMaterial(), 1);
    this.handle = new three.Mesh(
        new three.SphereGeometry(1.8 * this.radius, 20, 12), new three.MeshBasicMaterial({color: kPull}));
    this.handle.visible = false;
    for (const part of [this.rodLines, this.coils]) part.mesh.castShadow = part.mesh.receiveShadow = true;
    this.group.add(this.rodLines.mesh, this.coils.mesh, this.pull.mesh, this.handle);
  }

  update(frame: Frame, share: ((force: number) => number)|null): void {
    const [a, b, colour] = [new three.Vector3(), new three.Vector3(), new three.Color()];
    this.rodLines.begin();
    for (const index of this.rods) {
      const force = jointForce(frame, index);
      if (Number.isNaN(force)) continue;  // broken joint
      linkEnds(frame, this.scene.joints[index]!, a, b);
      if (share)
        colour.setRGB(...colourAt(share(force)), three.SRGBColorSpace);
      else
        colour.copy(kSteel);
      this.rodLines.add(a, b, this.radius, colour);
    }
    this.rodLines.end();

    this.coils.begin();
    for (const spring of this.springs) {
      linkEnds(frame, spring, a, b);
      if (a.distanceTo(b) > 2 * this.radius) this.coils.add(a, b, 5 * this.radius, kSteel);
    }
    this.coils.end();
  }

  // Draws the mouse spring from a point of a body to the target; null hides it.
  showPull(frame: Frame, grip: {body: number; point: ArrayLike<number>}|null, target: three.Vector3|null): void {
    this.pull.begin();
    this.handle.visible = grip !== null && target !== null;
    if (grip && target) {
      const at = worldPoint(frame, grip.body, grip.point, new three.Vector3());
      this.pull.add(at, target, 0.5 * this.radius, kPull);
      this.handle.position.copy(target);
    }
    this.pull.end();
  }

  dispose(): void {
    for (const part of [this.rodLines, this.coils, this.pull]) part.dispose();
    this.handle.geometry.dispose();
    (this.handle.material as three.Material).dispose();
  }
}

const kSteel = new three.Color('#5d6b7a');
const kPull = new three.Color('#d6249f');
