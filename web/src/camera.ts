// The camera. Until the user moves it, it shows the whole scene and moves back if the motion needs more room.
import * as three from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {worldPoint} from './poses';
import {type Frame, type Scene} from './protocol';
import {type Stage} from './stage';

export interface Margins {  // width of the window borders that are covered by panels [px]
  left: number;
  right: number;
  top: number;
  bottom: number;
}

// Directions from the scene to the camera.
export const kViews: [string, three.Vector3][] = [
  ['overview', new three.Vector3(0.42, -1, 0.25)],
  ['front', new three.Vector3(0, -1, 0.05)],
  ['side', new three.Vector3(1, 0, 0.05)],
  ['top', new three.Vector3(0, -0.02, 1)],
  ['back', new three.Vector3(-0.42, 1, 0.25)],
];

const kFillOf = 0.86;        // fraction of the free window that the scene fills
const kFillOnTheWay = 0.78;  // fraction for a motion that is still growing

export class CameraMan {
  readonly controls: OrbitControls;
  private automatic = true;
  private view = 0;
  private followed: number|null = null;
  private readonly lastFollowed = new three.Vector3();
  private goal: {eye: three.Vector3; target: three.Vector3}|null = null;
  private points = [new three.Vector3(-1, -1, 0), new three.Vector3(1, 1, 1)];
  private size = 3;  // size of the enclosed region [m]
  private margins: Margins = {left: 0, right: 0, top: 0, bottom: 0};

  constructor(private readonly stage: Stage, private readonly onFollow: (body: number|null) => void) {
    this.controls = new OrbitControls(stage.camera, stage.renderer.domElement);
    Object.assign(
        this.controls,
        {enableDamping: false, screenSpacePanning: true, zoomToCursor: true, maxPolarAngle: 0.98 * Math.PI});
    this.controls.addEventListener('start', () => {
      this.automatic = false;
      this.goal = null;
    });
  }

  // Shows the whole of a new scene, without a transition.
  frame(points: three.Vector3[]): void {
    this.take(points);
    this.automatic = true;
    this.follow(null);
    this.lookFrom(0);
    this.jump();
  }

  // Adapts the view to a motion that needs more room.
  widen(points: three.Vector3[]): void {
    this.take(points);
    if (this.automatic && this.followed === null) this.goal = this.fit(kViews[this.view]![1], kFillOnTheWay);
  }

  private take(points: three.Vector3[]): void {
    this.points = points.map(point => point.clone());
    this.size = Math.max(1e-6, new three.Box3().setFromPoints(points).getSize(new three.Vector3()).length());
  }

  setMargins(margins: Margins): void {
    this.margins = margins;
    this.placeCentre();
    if (this.automatic) {
      this.goal = this.fit(kViews[this.view]![1]);
      this.jump();
    }
  }

  nextView(by: number): string {
    this.automatic = true;
    this.follow(null);
    this.lookFrom((this.view + by + kViews.length) % kViews.length);
    return kViews[this.view]![0];
  }

  private lookFrom(view: number): void {
    this.view = view;
    this.goal = this.fit(kViews[view]![1]);
  }

  set(eye: ArrayLike<number>, target: ArrayLike<number>): void {
    this.automatic = false;
    this.follow(null);
    this.goal = {
      eye: new three.Vector3().fromArray(eye as number[]),
      target: new three.Vector3().fromArray(target as number[])
    };
    this.jump();
  }

  // Turns toward a point without moving.
  centre(point: three.Vector3): void {
    this.automatic = false;
    const shift = point.clone().sub(this.controls.target);
    this.goal = {eye: this.stage.camera.position.clone().add(shift), target: point.clone()};
  }

  follow(body: number|null): void {
    if (body === this.followed) return;
    this.followed = body;
    this.lastFollowed.set(NaN, NaN, NaN);
    this.onFollow(body);
  }

  // Whether the user controls the camera or it follows a body.
  get isFree(): boolean { return !this.automatic || this.followed !== null; }
  get following(): number|null { return this.followed; }

  // Follows the selected body and moves smoothly toward its goal. Returns true while it is moving.
  advance(scene: Scene, frame: Frame, dt: number): boolean {
    const {camera} = this.stage;
    if (this.followed !== null && this.followed < scene.bodies.length) {
      const now = worldPoint(frame, this.followed, scene.bodies[this.followed]!.com, new three.Vector3());
      if (Number.isNaN(this.lastFollowed.x))
        this.centre(now);
      else {
        const shift = now.clone().sub(this.lastFollowed);
        camera.position.add(shift);
        this.controls.target.add(shift);
        this.goal?.eye.add(shift);
        this.goal?.target.add(shift);
      }
      this.lastFollowed.copy(now);
    }
    if (this.goal) {
      const share = 1 - Math.exp(-dt / 0.14);
      camera.position.lerp(this.goal.eye, share);
      this.controls.target.lerp(this.goal.target, share);
      if (camera.position.distanceTo(this.goal.eye) < 1e-3 * camera.position.distanceTo(this.controls.target))
        this.jump();
    }
    this.update();
    return this.goal !== null;
  }

  jump(): void {
    if (this.goal) {
      this.stage.camera.position.copy(this.goal.eye);
      this.controls.target.copy(this.goal.target);
      this.goal = null;
    }
    this.update();
  }

  private update(): void {
    const {camera} = this.stage;
    const [size, distance] = [this.size, camera.position.distanceTo(this.controls.target)];
    camera.near = Math.max(distance / 200, 1e-3 * size);
    camera.far = 20 * size + 20 * distance;
    camera.updateProjectionMatrix();
    this.controls.update();
  }

  // Shifts the projection so that the centre of the picture is the centre of the area not covered by panels.
  private placeCentre(): void {
    const [width, height] = [window.innerWidth, window.innerHeight];
    const {left, right, top, bottom} = this.margins;
    this.stage.camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height);
  }

  // The nearest position in a direction from which all points are visible in the free part of the window.
  private fit(direction: three.Vector3, fill = kFillOf): {eye: three.Vector3; target: three.Vector3} {
    const {camera} = this.stage;
    const [width, height] = [window.innerWidth, window.innerHeight];
    const {left, right, top, bottom} = this.margins;
    const tanY = Math.tan(three.MathUtils.degToRad(camera.fov / 2));
    const slopeY = tanY * fill * Math.max(0.3, (height - top - bottom) / height);
    const slopeX = tanY * (width / height) * fill * Math.max(0.3, (width - left - right) / width);

    const back = direction.clone().normalize();
    const across = new three.Vector3(0, 0, 1).cross(back).normalize();
    const up = back.clone().cross(across);
    const centre = new three.Box3().setFromPoints(this.points).getCenter(new three.Vector3());
    const corners = this.points.map(point => point.clone().sub(centre));

    // For each axis, the camera at (s, d) sees a point at (c, b) if |c − s| ≤ slope (d − b); the smallest d of both sides
    // is half the sum of the requirements of both sides, and s follows from it.
    const along = (axis: three.Vector3, slope: number): {d: number; s: number} => {
      const high = Math.max(...corners.map(c => c.dot(axis) / slope + c.dot(back)));
      const low = Math.max(...corners.map(c => -c.dot(axis) / slope + c.dot(back)));
      return {d: (high + low) / 2, s: slope * (high - low) / 2};
    };
    const [x, y] = [along(across, slopeX), along(up, slopeY)];
    const target = centre.addScaledVector(across, x.s).addScaledVector(up, y.s);
    const distance = Math.max(x.d, y.d, 1e-3 * this.size);
    return {eye: target.clone().addScaledVector(back, distance), target};
  }
}
