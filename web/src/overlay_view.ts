// Draws overlays: joints, coordinate frames, contact forces.
import * as three from 'three';
import {bodyMatrix, linkEnds} from './poses';
import {type Frame, type Scene} from './protocol';
import {Segments, unitCone, unitRod} from './segments';
import {placementMatrix} from './shapes';
import {ForceRange} from './colour_scale';

export interface Overlays {
  joints: boolean;
  frames: boolean;
  contacts: boolean;
}

const kAxes = ['#d6404a', '#2f9e44', '#2f6fd0'].map(code => new three.Color(code));
const kArrow = new three.Color('#e0301e');
const kJoint = new three.Color('#0f5fa8');
const kMostContacts = 2000;

export class OverlayView {
  readonly group = new three.Group();
  private readonly joints: three.InstancedMesh;
  private readonly axes: Segments;
  private readonly shafts: Segments;
  private readonly heads: Segments;
  private readonly range = new ForceRange(2);
  private lastTime = 0;

  constructor(private readonly scene: Scene, private readonly size: number) {
    // drawn over bodies, because joints are inside of them
    const seenThrough = (): three.MeshBasicMaterial =>
        new three.MeshBasicMaterial({depthTest: false, transparent: true, opacity: 0.85});
    this.joints = new three.InstancedMesh(
        new three.SphereGeometry(0.008 * size, 16, 10), seenThrough(), Math.max(1, scene.joints.length));
    this.joints.frustumCulled = false;
    this.axes = new Segments(unitRod(), seenThrough(), 3 * (scene.bodies.length + 2 * scene.joints.length));
    const arrow = (): three.Material => new three.MeshStandardMaterial({roughness: 0.7});
    this.shafts = new Segments(unitRod(), arrow(), kMostContacts);
    this.heads = new Segments(unitCone(), arrow(), kMostContacts);
    this.shafts.mesh.castShadow = this.heads.mesh.castShadow = true;
    this.group.add(this.joints, this.axes.mesh, this.shafts.mesh, this.heads.mesh);
  }

  update(frame: Frame, overlays: Overlays): void {
    this.showJoints(frame, overlays.joints);
    this.showFrames(frame, overlays.frames, overlays.joints);
    this.showContacts(frame, overlays.contacts);
  }

  private showJoints(frame: Frame, on: boolean): void {
    this.joints.visible = on && this.scene.joints.length > 0;
    if (!this.joints.visible) return;
    const [a, b, X] = [new three.Vector3(), new three.Vector3(), new three.Matrix4()];
    this.scene.joints.forEach((joint, i) => {
      linkEnds(frame, joint, a, b);
      this.joints.setMatrixAt(i, X.makeTranslation(joint.bodies[0] === 0 ? b : a));
      this.joints.setColorAt(i, kJoint);
    });
    this.joints.instanceMatrix.needsUpdate = true;
    if (this.joints.instanceColor) this.joints.instanceColor.needsUpdate = true;
  }

  // Axes x, y, z in red, green, blue: of the bodies, and of both frames of the joints.
  private showFrames(frame: Frame, on: boolean, ofJoints: boolean): void {
    this.axes.begin();
    if (on) {
      const X = new three.Matrix4();
      this.scene.bodies.forEach((_, body) => this.addAxes(bodyMatrix(frame, body, X), 0.06));
      if (ofJoints)
        for (const joint of this.scene.joints)
          joint.frames.forEach((place, side) => {
            const body = joint.bodies[side];
            if (body !== undefined)
              this.addAxes(bodyMatrix(frame, body, X).multiply(placementMatrix(place.p, place.q)), 0.035);
          });
    }
    this.axes.end();
  }

  private addAxes(X: three.Matrix4, share: number): void {
    const [from, to] = [new three.Vector3().setFromMatrixPosition(X), new three.Vector3()];
    for (let k = 0; k < 3; ++k) {
      to.setFromMatrixColumn(X, k).multiplyScalar(share * this.size).add(from);
      this.axes.add(from, to, 0.03 * share * this.size, kAxes[k]!);
    }
  }

  // The largest recent force is drawn as an arrow with an eighth of the size of the scene.
  private showContacts(frame: Frame, on: boolean): void {
    const {contacts} = frame;
    this.shafts.begin();
    this.heads.begin();
    if (on) {
      const count = contacts.length / 9;
      const forces = Array.from(
          {length: count}, (_, i) => Math.hypot(contacts[9 * i + 6]!, contacts[9 * i + 7]!, contacts[9 * i + 8]!));
      this.range.follow(forces.reduce((a, b) => Math.max(a, b), 0), Math.abs(frame.time - this.lastTime));
      const [from, neck, tip] = [new three.Vector3(), new three.Vector3(), new three.Vector3()];
      for (let i = 0; i < count; ++i) {
        const share = this.range.share(forces[i]!);
        if (!(share > 0.01)) continue;
        const thickness = 0.004 * this.size;
        from.fromArray(contacts, 9 * i);
        tip.fromArray(contacts, 9 * i + 6).setLength(0.125 * this.size * share).add(from);
        neck.lerpVectors(from, tip, Math.max(0.55, 1 - 5 * thickness / from.distanceTo(tip)));
        this.shafts.add(from, neck, thickness, kArrow);
        this.heads.add(neck, tip, 2.4 * thickness, kArrow);
      }
    }
    this.lastTime = frame.time;
    this.shafts.end();
    this.heads.end();
  }

  dispose(): void {
    for (const part of [this.axes, this.shafts, this.heads]) part.dispose();
    this.joints.geometry.dispose();
    (this.joints.material as three.Material).dispose();
    this.joints.dispose();
  }
}
