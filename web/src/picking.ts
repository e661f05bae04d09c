// Picking: the body under the mouse or within a few pixels of it; detection of double-clicks.
import * as three from 'three';
import {worldPoint} from './poses';
import {type Frame, type Scene} from './protocol';
import {type SceneView} from './scene_view';
import {type Stage} from './stage';

const kNear = 18;  // [px]

export interface Hit {
  body: number;
  point: three.Vector3;
}

export class Picking {
  private readonly caster = new three.Raycaster();

  constructor(private readonly stage: Stage, private readonly shown: () => {
    view: SceneView;
    frame: Frame
  } | null) {}

  ray(event: PointerEvent|MouseEvent): three.Ray {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    const at = new three.Vector2(
        2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height);
    this.caster.setFromCamera(at, this.stage.camera);
    return this.caster.ray;
  }

  // With `movable`, a movable body is preferred to a fixed body that is closer to the camera.
  pick(event: PointerEvent|MouseEvent, movable = false): Hit|null {
    const now = this.shown();
    if (!now) return null;
    const {view, frame} = now;
    this.ray(event);
    const hit = view.bodies.pick(this.caster);
    if (hit && !(movable && isHeld(view.scene, hit.body))) return hit;
    return this.nearest(event, view.scene, frame) ?? (movable ? null : hit);
  }

  // Window coordinates of a world point [px]; null behind the camera.
  onScreen(point: ArrayLike<number>): [number, number]|null {
    const place = new three.Vector3(point[0], point[1], point[2]).project(this.stage.camera);
    return place.z < 1 ? [(place.x + 1) / 2 * window.innerWidth, (1 - place.y) / 2 * window.innerHeight] : null;
  }

  private nearest(event: MouseEvent, scene: Scene, frame: Frame): Hit|null {
    let [best, distance] = [null as Hit | null, kNear];
    const at = new three.Vector3();
    scene.bodies.forEach((body, index) => {
      if (isHeld(scene, index)) return;
      worldPoint(frame, index, body.com, at);
      const place = this.onScreen(at.toArray());
      const away = place ? Math.hypot(place[0] - event.clientX, place[1] - event.clientY) : Infinity;
      if (away < distance) [best, distance] = [{body: index, point: at.clone()}, away];
    });
    return best;
  }

  // Double-click of any button; the event `dblclick` exists for the left button only.
  onDoubleClick(act: (event: MouseEvent) => void): void {
    this.stage.renderer.domElement.addEventListener('mousedown', event => {
      if (event.detail === 2) act(event);
    });
  }
}

const isHeld = (scene: Scene, body: number): boolean =>
    body === 0 || ['fixed', 'kinematic'].includes(scene.bodies[body]!.kind);
