// Draws a scene: bodies, links, overlays and ground, updated with each frame.
import * as three from 'three';
import {BodiesView} from './bodies_view';
import {ForceRange} from './colour_scale';
import {findExtent, Outline, sceneBox} from './extent';
import {cellOf, Ground} from './ground';
import {LinksView} from './links_view';
import {OverlayView, type Overlays} from './overlay_view';
import {bodyMatrix, carriedForces, jointForce, worldPoint} from './poses';
import {type Frame, type Scene} from './protocol';
import {placementMatrix} from './shapes';
import {type Stage} from './stage';

export interface DisplayOptions extends Overlays {
  forces: boolean;
  grid: boolean;
}

export class SceneView {
  readonly box: three.Box3;          // bounds of the motion so far, without diverged positions
  readonly outline = new Outline();  // the same with more directions
  readonly bodies: BodiesView;
  readonly links: LinksView;
  private readonly overlays: OverlayView;
  private readonly group = new three.Group();
  private readonly grounds: {ground: Ground; body: number; local: three.Matrix4}[] = [];
  private floor: three.Matrix4|null = null;  // pose of the artificial ground
  private readonly carried: Float64Array;
  private readonly carriers: number[];
  private readonly limit: number;
  private lastTime = NaN;
  private reported: number;  // diagonal of the box at the last reported growth

  constructor(private readonly stage: Stage, readonly scene: Scene, first: Frame, readonly range: ForceRange) {
    const extent = findExtent(scene, first);
    this.box = extent.box;
    this.reported = this.box.getSize(new three.Vector3()).length();
    this.bodies = new BodiesView(scene, first, this.reported);
    this.links = new LinksView(scene, this.reported);
    this.overlays = new OverlayView(scene, this.reported);
    this.carried = new Float64Array(scene.bodies.length);
    this.carriers = this.bodies.carriers();
    this.outline.addFrame(scene, first);
    // reach of hanging bodies: down and to the sides
    const middle = this.box.getCenter(new three.Vector3());
    for (const [x, y, z] of [
             [middle.x, middle.y, this.box.min.z], [this.box.min.x, middle.y, middle.z],
             [this.box.max.x, middle.y, middle.z], [middle.x, this.box.min.y, middle.z],
             [middle.x, this.box.max.y, middle.z]] as const)
      this.outline.add(new three.Vector3(x, y, z));
    this.limit = 3 * this.reported + this.box.getCenter(new three.Vector3()).length();
    this.addGrounds(extent.ground);
    this.group.add(this.bodies.group, this.links.group, this.overlays.group);
    stage.scene.add(this.group);
    stage.lightUp(this.box);
  }

  get showsForces(): boolean { return this.bodies.showsForces || this.links.rods.length > 0; }

  private addGrounds(height: number|null): void {
    const size = this.box.getSize(new three.Vector3()).length();
    const centre = this.box.getCenter(new three.Vector3());
    const add = (body: number, X: three.Matrix4, colour: string|null): void => {
      // below the scene, with grid lines at round numbers
      const step = 5 * cellOf(size);
      const at = centre.clone().applyMatrix4(X.clone().invert());
      const shift =
          new three.Matrix4().makeTranslation(Math.round(at.x / step) * step, Math.round(at.y / step) * step, 0);
      const ground = new Ground(size, colour);
      ground.group.matrixAutoUpdate = false;
      this.grounds.push({ground, body, local: X.clone().multiply(shift)});
      this.group.add(ground.group);
    };
    if (height !== null) {
      add(0, new three.Matrix4().makeTranslation(0, 0, height), null);
      this.floor = this.grounds[0]!.local;
    }
    this.scene.bodies.forEach((body, index) => {
      for (const shape of body.shapes)
        if (shape.kind === 'plane') add(index, placementMatrix(shape.p, shape.q), shape.colour || null);
    });
  }

  // Largest force of all bodies and links that are coloured by force.
  largestForce(frame: Frame): number {
    carriedForces(this.scene, frame, this.carried);
    let largest = 0;
    for (const body of this.carriers) largest = Math.max(largest, this.carried[body] || 0);
    for (const joint of this.links.rods) largest = Math.max(largest, jointForce(frame, joint) || 0);
    return largest;
  }

  show(frame: Frame, display: DisplayOptions, selected: number): void {
    // colours first, because they depend on the forces of all bodies
    const {range} = this;
    const largest = this.largestForce(frame);
    range.follow(largest, Number.isNaN(this.lastTime) ? 0 : Math.abs(frame.time - this.lastTime));
    this.lastTime = frame.time;

    const share = (force: number): number => range.share(force);
    this.bodies.update(frame, display.forces ? body => share(this.carried[body]!) : null, selected);
    this.links.update(frame, display.forces ? share : null);
    this.overlays.update(frame, display);
    const X = new three.Matrix4();
    for (const {ground, body, local} of this.grounds) {
      ground.group.matrix.copy(bodyMatrix(frame, body, X).multiply(local));
      ground.group.matrixWorldNeedsUpdate = true;
      ground.setLines(display.grid);
    }
  }

  // A body to follow if all moving bodies have left the visible region, such as a nut that falls off its screw.
  runaway(frame: Frame): number|null {
    const at = new three.Vector3();
    const moving = this.scene.bodies.flatMap((body, i) => i > 0 && body.kind !== 'fixed' ? [i] : []);
    const gone = (body: number): boolean =>
        !this.box.containsPoint(worldPoint(frame, body, this.scene.bodies[body]!.com, at));
    return moving.length > 0 && moving.every(gone) ? moving[0]! : null;
  }

  // Enlarges the box with the motion. Returns true if it has grown significantly.
  grow(frame: Frame): boolean {
    const now = sceneBox(this.scene, frame, this.limit);
    this.outline.addFrame(this.scene, frame, this.limit);
    if (this.box.containsBox(now)) return false;
    this.box.union(now);
    // the artificial ground is lowered
    if (this.floor && this.box.min.z < this.floor.elements[14]!)
      this.floor.elements[14] = this.box.min.z - 0.02 * this.reported;
    const size = this.box.getSize(new three.Vector3()).length();
    if (size < 1.01 * this.reported) return false;
    this.reported = size;
    this.stage.lightUp(this.box);
    return true;
  }

  // Takes over the bounds from an earlier build of the same scene.
  remember(old: SceneView): void {
    this.box.union(old.box);
    for (const point of old.outline.points) this.outline.add(point);
  }

  dispose(): void {
    this.stage.scene.remove(this.group);
    for (const part of [this.bodies, this.links, this.overlays]) part.dispose();
    for (const {ground} of this.grounds) ground.dispose();
  }
}
