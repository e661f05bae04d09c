// window.taut: interface for tests and for rendering images.
import {type BodyState} from './body_card';
import {type Replay} from './replay';
import {type Viewer} from './viewer';

export interface Hooks {
  readonly stats: {
    frames: number; drawn: number; fps: number; time: number; connected: boolean; revision: number; live: boolean;
    range: [number, number];
    lateness: {p50: number; p99: number; worst: number} | null
  };
  readonly status: unknown;
  ready(): boolean;  // a scene is shown
  body(name: string): BodyState|null;
  bodies(): string[];
  onScreen(name: string): [number, number]|null;  // centre of mass in the window [px]
  camera(place: {eye: number[]; target: number[]}): void;
  hidePanels(): void;
  showPanels(): void;
  renderOnce(): void;        // synchronously, at the size of the window
  seek(time: number): void;  // recordings: shows this time and renders synchronously
}

declare global {
  interface Window {
    taut?: Hooks
  }
}

export function makeHooks(viewer: Viewer, replay: Replay|null, connected: () => boolean): Hooks {
  const index = (name: string): number => viewer.scene?.bodies.findIndex(body => body.name === name) ?? -1;
  const render = (): void => {
    viewer.resize();
    viewer.camera.jump();
    viewer.draw();
    viewer.transport.update();
    viewer.updatePanels();
  };
  const panels = (on: boolean): void => {
    viewer.layout.toggle('all', on);
    viewer.layout.silence(!on);
    render();
  };
  return {
    get stats() {
      return {
        frames: viewer.received,
        drawn: viewer.drawn,
        fps: viewer.rate.rate(performance.now() / 1000),
        time: viewer.frame?.time ?? 0,
        connected: connected(),
        revision: viewer.scene?.revision ?? -1,
        live: viewer.player.live,
        range: viewer.player.range,
        lateness: viewer.status?.lateness ?? null,
      };
    },
    get status() { return viewer.status; },
    ready: () => viewer.frame !== null,
    bodies: () => viewer.scene?.bodies.map(body => body.name) ?? [],
    body: name => viewer.state(index(name)),
    onScreen: name => {
      const state = viewer.state(index(name));
      return state ? viewer.picking.onScreen(state.position) : null;
    },
    camera: ({eye, target}) => {
      viewer.camera.set(eye, target);
      render();
    },
    hidePanels: () => panels(false),
    showPanels: () => panels(true),
    renderOnce: render,
    seek: time => {
      if (!replay) throw new Error('seek requires a recording; use rewind with a live engine');
      replay.pause();
      replay.seek(time);
      render();
    },
  };
}
