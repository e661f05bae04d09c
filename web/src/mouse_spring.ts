// Ctrl and the left button pull a body with a spring. The target of the spring moves in the plane through the grabbed
// point that is parallel to the image plane.
//
// The drag is ended by every event that can end it, so that the spring is always released: button up, cancelled pointer,
// lost capture, a window that loses the focus or is hidden, a rebuilt scene.
import * as three from 'three';
import {bodyPoint} from './poses';
import {type Frame} from './protocol';
import {type Command} from './live';

export interface Grip {
  body: number;
  point: [number, number, number];  // body axes
}

interface World {
  pick(event: PointerEvent): {body: number; point: three.Vector3}|null;
  ray(event: PointerEvent): three.Ray;
  frame(): Frame|null;
  camera: three.Camera;
  send(command: Command): boolean;
  hold(camera: boolean): void;  // whether the camera is locked
}

export class MouseSpring {
  grip: Grip|null = null;
  readonly target = new three.Vector3();
  private readonly plane = new three.Plane();
  private pointer = -1;
  private unsent = false;
  private unreleased = false;

  constructor(private readonly canvas: HTMLElement, private readonly world: World) {
    // capture phase: before the listener of the camera
    canvas.addEventListener('pointerdown', event => this.begin(event), {capture: true});
    canvas.addEventListener('pointermove', event => this.move(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      canvas.addEventListener(name, event => {
        if (event.pointerId === this.pointer) this.end();
      });
    window.addEventListener('blur', () => this.end());
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.end();
    });
  }

  private begin(event: PointerEvent): void {
    const frame = this.world.frame();
    if (!(event.ctrlKey || event.metaKey) || event.button !== 0 || this.grip || !frame) return;
    const hit = this.world.pick(event);
    if (!hit) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.canvas.focus();
    this.world.hold(true);
    this.pointer = event.pointerId;
    this.canvas.setPointerCapture(event.pointerId);
    this.grip = {body: hit.body, point: bodyPoint(frame, hit.body, hit.point, new three.Vector3()).toArray()};
    this.target.copy(hit.point);
    this.plane.setFromNormalAndCoplanarPoint(this.world.camera.getWorldDirection(new three.Vector3()), hit.point);
    this.world.send({command: 'grab', body: hit.body, point: this.grip.point, target: this.target.toArray()});
  }

  private move(event: PointerEvent): void {
    if (!this.grip || event.pointerId !== this.pointer) return;
    if ((event.buttons & 1) === 0) return this.end();  // the button was released outside the page
    const at = this.world.ray(event).intersectPlane(this.plane, new three.Vector3());
    if (!at) return;
    this.target.copy(at);
    this.unsent = true;
  }

  // Sends at most one message per frame, because the mouse reports more often.
  flush(): void {
    if (!this.grip || !this.unsent) return;
    this.unsent = !this.world.send({command: 'drag', target: this.target.toArray()});
  }

  end(): void {
    if (!this.grip) return;
    this.flush();
    this.grip = null;
    this.unsent = false;
    if (this.canvas.hasPointerCapture(this.pointer)) this.canvas.releasePointerCapture(this.pointer);
    this.pointer = -1;
    this.world.hold(false);
    this.unreleased = !this.world.send({command: 'release'});
  }

  // The engine releases the spring when a connection ends; a release that could not be sent is repeated nevertheless.
  connected(): void {
    if (this.unreleased) this.unreleased = !this.world.send({command: 'release'});
  }
}
