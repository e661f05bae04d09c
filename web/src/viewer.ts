// The whole page: shows scenes, frames and status of an engine or a recording.
import * as three from 'three';
import {BodyCard, bodyState, type BodyState} from './body_card';
import {CameraMan} from './camera';
import {ForceRange} from './colour_scale';
import {Controls} from './controls';
import {ControlsPanel} from './controls_panel';
import {Gamepads} from './gamepads';
import {Layout} from './layout';
import {Legend} from './legend';
import {type Command} from './live';
import {MouseSpring} from './mouse_spring';
import {Notices} from './notices';
import {Panels} from './panels';
import {type Player} from './player';
import {type Recording} from './replay';
import {Plots} from './plots';
import {Picking} from './picking';
import {FrameFlag, type Frame, type Scene, type Status} from './protocol';
import {RateMeter} from './ring';
import {SceneView, type DisplayOptions} from './scene_view';
import {kSolves, Series, usualReadings} from './series';
import {Stage} from './stage';
import {TitleCard} from './title_card';
import {Transport} from './transport';

const kMostPlots = 16;   // limit of the engine
const kPanelPause = 90;  // interval between updates of plots and numbers [ms]

export class Viewer {
  readonly layout = new Layout();
  readonly stage: Stage;
  readonly camera: CameraMan;
  readonly display: DisplayOptions = {forces: true, contacts: true, joints: false, frames: false, grid: true};
  readonly range = new ForceRange();
  readonly rate = new RateMeter();
  readonly notices: Notices;
  readonly transport: Transport;
  readonly panels: Panels;
  readonly picking: Picking;
  readonly spring: MouseSpring|null;
  readonly controls: Controls;
  onHelp: () => void = () => {};
  received = 0;
  drawn = 0;
  selected = -1;
  frame: Frame|null = null;
  before: Frame|null = null;
  scene: Scene|null = null;
  status: Status|null = null;
  private view: SceneView|null = null;
  private series: Series|null = null;
  private readonly plots: Plots;
  private readonly legend = new Legend(this.range);
  private readonly controlsPanel: ControlsPanel;
  private readonly card: BodyCard;
  private readonly title: TitleCard;
  private wanted: string[] = [];        // selected curves
  private asked = false;                // whether missing readings were requested
  private failure: string|null = null;  // of a recording: reason of the abort
  private dirty = true;
  private lastPanels = 0;

  constructor(readonly player: Player, private readonly sendCommand: (command: Command) => boolean) {
    const {layout} = this;
    this.stage = new Stage(layout.stage, player.live);
    this.camera = new CameraMan(this.stage, () => this.touch());
    this.notices = new Notices(layout.notices, () => player.reset());
    this.transport = new Transport(layout.bottom, player, () => this.onHelp());
    this.title = new TitleCard(layout.title, name => this.send({command: 'scene', name}));
    this.plots =
        new Plots(layout.plots, !player.live, reading => this.plot(this.wanted.filter(name => name !== reading)));
    this.card = new BodyCard(
        () => this.camera.follow(this.camera.following === this.selected ? null : this.selected),
        () => this.select(-1));
    this.panels = new Panels(layout.settings, player.live, this.display, {
      displayChanged: () => this.touch(),
      send: command => this.send(command),
      addPlot: reading => this.addPlot(reading),
    });
    this.controls = new Controls(
        (name, value) => this.send({command: 'control', name, value}), player.live ? this.makeGamepads() : null);
    this.controlsPanel = new ControlsPanel(layout.controls, this.controls);
    layout.right.append(this.card.element, this.legend.element);
    this.picking = new Picking(this.stage, () => this.view && this.frame ? {view: this.view, frame: this.frame} : null);
    this.spring = player.live ? this.makeSpring() : null;
    this.camera.controls.addEventListener('change', () => this.touch());
    window.addEventListener('resize', () => this.resize());
  }

  private makeSpring(): MouseSpring {
    return new MouseSpring(this.stage.renderer.domElement, {
      pick: event => this.picking.pick(event, true),
      ray: event => this.picking.ray(event),
      frame: () => this.frame,
      camera: this.stage.camera,
      send: command => this.send(command),
      hold: still => {
        this.camera.controls.enabled = !still;
      },
    });
  }

  private makeGamepads(): Gamepads {
    const say = (text: string): void => {
      if (this.controls.usesGamepad) this.notices.say(text);
    };
    return new Gamepads(() => navigator.getGamepads?.() ?? [], {
      found: name => say(`gamepad connected: ${name}`),
      lost: name => say(`gamepad disconnected, its controls are back at their defaults: ${name}`),
    });
  }

  send(command: Command): boolean { return this.sendCommand(command); }

  touch(): void { this.dirty = true; }

  // Stores a description; the scene is built with the first matching frame.
  showScene(scene: Scene): void {
    const other = this.scene?.name !== scene.name;
    const name = this.scene?.bodies[this.selected]?.name;
    this.spring?.end();
    this.scene = scene;
    this.before = null;
    this.title.show(scene);
    this.panels.show(scene);
    if (!this.player.live)
      this.controlsPanel.showAbsent(scene.controls);
    else if (this.controls.show(scene.controls)) {
      this.controlsPanel.show();
      this.resize();
    }
    if (other || !this.series) {
      this.series = new Series(scene);
      this.range.top = 0;
      this.select(-1);
      this.plot([...usualReadings(scene), kSolves]);
    } else {
      this.series.setCarried(scene.plots);
      this.select(scene.bodies.findIndex(body => body.name === name));
    }
  }

  // Loads all frames of a recording: complete curves, a fixed colour range, a camera view of the whole motion.
  showRecording({scene, frames, failure}: Recording): void {
    this.failure = failure;
    this.showScene(scene);
    this.series!.load(frames);
    this.showFrame(frames[0]!);
    const samples = frames.filter((_, i) => i % Math.ceil(frames.length / 200) === 0);
    for (const frame of samples) this.view!.grow(frame);
    this.range.top = Math.max(...samples.map(frame => this.view!.largestForce(frame)));
    this.range.locked = true;
    this.camera.frame(this.view!.outline.points);
    this.title.showReplay(frames.length, this.player.range[1] - this.player.range[0]);
    this.showFrame(frames[0]!);
  }

  // `before` is an earlier frame for velocities; default: the last frame shown.
  showFrame(frame: Frame, before: Frame|null = null): void {
    ++this.received;
    this.rate.tick(performance.now() / 1000);
    const {scene} = this;
    if (!scene || frame.revision !== scene.revision || frame.poses.length !== 7 * scene.bodies.length ||
        frame.joints.length !== 6 * scene.joints.length)
      return;
    if (this.view?.scene !== scene) this.raise(scene, frame);
    if (before)
      this.before = before;
    else if (this.frame && this.frame.time !== frame.time)
      this.before = this.frame.time < frame.time ? this.frame : null;  // null after a rewind
    if (this.player.live && this.frame && frame.time < this.frame.time && !this.range.locked) this.range.top = 0;
    this.frame = frame;
    if (this.player.live) {
      this.series!.add(frame);
      if (this.received % 6 === 0 && (frame.flags & FrameFlag.Diverged) === 0) this.keepInSight(frame);
    } else
      this.notices.showBanner((frame.flags & FrameFlag.Diverged) === 0 ? null : this.brokeOff());
    this.touch();
  }

  private brokeOff(): string {
    return `The simulation failed here and the recording ends${this.failure ? `: ${this.failure}` : '.'}`;
  }

  private keepInSight(frame: Frame): void {
    if (this.view!.grow(frame)) this.camera.widen(this.view!.outline.points);
    const runaway = this.camera.isFree ? null : this.view!.runaway(frame);
    if (runaway !== null) this.camera.follow(runaway);
  }

  // Builds the view of a scene. A rebuilt scene keeps the camera and the bounds of its motion.
  private raise(scene: Scene, frame: Frame): void {
    const old = this.view;
    old?.dispose();
    this.view = new SceneView(this.stage, scene, frame, this.range);
    this.before = null;
    const sizes =
        [old?.box, this.view.box].map(box => box?.getSize(new three.Vector3()).length() ?? 0) as [number, number];
    if (old?.scene.name !== scene.name)
      this.camera.frame(this.view.outline.points);
    else if (sizes[0] < 2 * sizes[1] && sizes[1] < 2 * sizes[0])
      this.view.remember(old);
    else
      this.camera.widen(this.view.outline.points);
    this.legend.element.hidden = !this.view.showsForces;
    this.resize();
  }

  showStatus(status: Status): void {
    this.status = status;
    this.panels.showStatus(status);
    this.controls.heard(status.controls ?? {});
    this.notices.showBanner(status.banner);
    this.notices.showError(status.error);
    this.series?.setCarried(status.plots);
    this.askForPlots();
  }

  select(body: number): void {
    this.selected = body > 0 ? body : -1;
    if (this.selected < 0) this.camera.follow(null);
    this.touch();
  }

  state(body: number): BodyState|null {
    return this.scene && this.frame && this.scene.bodies[body] ? bodyState(this.scene, this.frame, this.before, body) :
                                                                 null;
  }

  private addPlot(reading: string): void {
    if (!this.player.live && reading !== kSolves && !this.scene?.plots.includes(reading))
      this.notices.say(`not in this recording: ${reading}. It has ${this.scene?.plots.join(', ')}.`);
    else
      this.plot([...new Set([...this.wanted, reading])]);
  }

  // Selects the curves to show. A recording contains a fixed set.
  private plot(names: string[]): void {
    const {scene, series} = this;
    if (!scene || !series) return;
    this.wanted = names.filter(name => this.player.live || name === kSolves || scene.plots.includes(name));
    this.asked = false;
    this.askForPlots();
    this.plots.arrange(series.diagrams(this.wanted));
    this.lastPanels = 0;
  }

  // Requests the selected readings that frames do not contain; readings of other clients are kept up to the limit.
  private askForPlots(): void {
    if (!this.player.live || !this.status || this.asked) return;
    this.asked = true;
    const carried = this.status.plots;
    const shown = this.wanted.filter(name => name !== kSolves);
    if (shown.every(name => carried.includes(name))) return;
    const readings = [...new Set([...shown, ...carried])].slice(0, kMostPlots);
    this.asked = this.send({command: 'plots', readings});
  }

  // The engine refused a value: shows the value of the engine again.
  settingRefused(): void {
    if (this.status) this.panels.showStatus(this.status, true);
  }

  // The engine does not know the reading: removes it.
  plotsRefused(): void { this.plot(this.wanted.filter(name => name === kSolves || this.status?.plots.includes(name))); }

  resize(): void {
    this.stage.resize();
    this.camera.setMargins(this.layout.margins());
    this.touch();
  }

  // Called for each animation frame; `dt` is the time since the last one [s].
  advance(dt: number): void {
    this.spring?.flush();
    this.controls.poll();
    this.controlsPanel.update();
    if (this.scene && this.frame && this.view && this.camera.advance(this.scene, this.frame, dt)) this.touch();
    this.transport.update();
    if (this.dirty) this.draw();
    const now = performance.now();
    if (now - this.lastPanels > kPanelPause) {
      this.lastPanels = now;
      this.updatePanels();
    }
  }

  draw(): void {
    this.dirty = false;
    const {view, frame} = this;
    if (view && frame) {
      view.show(frame, this.display, this.selected);
      const dragged = this.spring?.grip ?? null;
      view.links.showPull(frame, dragged, dragged ? this.spring!.target : null);
    }
    this.stage.render();
    ++this.drawn;
  }

  updatePanels(): void {
    if (this.series) this.plots.draw(this.series, this.player.time, this.player.range);
    if (this.player.live) this.title.showLive(this.rate.rate(performance.now() / 1000), this.status);
    this.legend.update();
    this.card.show(this.state(this.selected), this.camera.following === this.selected && this.selected > 0);
  }
}
