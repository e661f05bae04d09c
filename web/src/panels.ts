// The settings at the right: display options, parameters of the scene, step settings, plotted readings.
import GUI from 'lil-gui';
import {el} from './dom';
import {isPhone} from './layout';
import {type Command} from './live';
import {parseNumber, stepText} from './numbers';
import {type Parameter, type Scene, type Status} from './protocol';
import {type DisplayOptions} from './scene_view';
import {kSolves} from './series';
import {makeScale, scaleOf} from './slider_scale';
import {rangeText, SliderRow} from './slider_row';

export interface PanelActions {
  displayChanged(): void;
  send(command: Command): boolean;
  addPlot(reading: string): void;
}

const kStepScale = makeScale(1e-4, 0.1);
const kSettings = ['scheme', 'stabilisation', 'solver'] as const;

export class Panels {
  private gui: GUI|null = null;
  private signature = '';
  private readonly rows = new Map<string, SliderRow>();
  private readonly settings = {scheme: '', stabilisation: '', solver: '', max_solves: 0};
  private readonly choices: Record<string, string> = {};
  private stepRow: SliderRow|null = null;
  private readonly closed = new Map<string, boolean>();  // folders that were opened or closed by the user

  constructor(
      private readonly parent: HTMLElement, private readonly live: boolean, readonly display: DisplayOptions,
      private readonly actions: PanelActions) {}

  // A rebuilt scene keeps its panel, so that a slider does not disappear while it is moved.
  show(scene: Scene): void {
    const {name, choices, readings, joints} = scene;
    const signature = JSON.stringify([
      name, choices, readings.length, joints.length > 0,
      scene.parameters.map(
          ({name, lowest, highest, unit, choices, adjustable}) => [name, lowest, highest, unit, choices, adjustable])
    ]);
    if (signature !== this.signature) this.build(scene);
    this.signature = signature;
    for (const {name, value} of scene.parameters) this.showParameter(name, value);
  }

  private build(scene: Scene): void {
    for (const folder of this.gui?.folders ?? []) this.closed.set(folder._title, folder._closed);
    const closed = this.gui?._closed ?? isPhone();
    this.gui?.destroy();
    this.rows.clear();
    this.gui = new GUI({container: this.parent, title: 'Settings', width: 284});
    if (this.live) {
      this.buildParameters(scene, scene.parameters.filter(p => p.adjustable), 'Scene', true);
      this.buildStep(scene);
    }
    this.buildDisplay();
    this.buildPlots(scene);
    if (this.live)
      this.buildParameters(scene, scene.parameters.filter(p => !p.adjustable && isPlain(p)), 'More parameters', false);
    for (const folder of this.gui.folders) folder.open(!(this.closed.get(folder._title) ?? folder._closed));
    this.gui.open(!closed);
  }

  private buildParameters(scene: Scene, parameters: Parameter[], title: string, open: boolean): void {
    if (parameters.length === 0) return;
    const folder = this.gui!.addFolder(title);
    for (const parameter of parameters) {
      const {name, doc, unit, choices} = parameter;
      const set = (value: string): void => void this.actions.send({command: 'set', name, value});
      if (choices.length > 0) {
        this.choices[name] = parameter.value;
        const row = folder.add(this.choices, name, choices).onChange(set);
        row.domElement.title = doc;
        continue;
      }
      const scale = scaleOf(parameter);
      const row = new SliderRow({
        name,
        unit,
        scale,
        doc: [doc, scale ? rangeText(scale, unit) : ''].filter(Boolean).join('\n'),
        change: set,
      });
      this.rows.set(name, row);
      folder.$children.append(row.element);
      row.show(parameter.value);
    }
    if (open)
      folder.add({defaults: () => this.actions.send({command: 'defaults'})}, 'defaults').name('Restore file values');
    else
      folder.close();
    if (!scene.parameters.some(p => p.adjustable) && !open) folder.open();
  }

  private buildStep(scene: Scene): void {
    const folder = this.gui!.addFolder('Step');
    this.stepRow = new SliderRow({
      name: 'step size',
      unit: 's',
      scale: kStepScale,
      doc: `simulated time of one step; ${rangeText(kStepScale, 's')}`,
      text: dt => `${stepText(dt)} s`,
      change: text => {
        const dt = parseNumber(text.replace(/\s*s$/, ''));
        this.actions.send({command: 'settings', dt: Number.isFinite(dt) ? dt : text});
      },
    });
    folder.$children.append(this.stepRow.element);
    for (const key of kSettings)
      if (scene.choices?.[key]?.length > 0)
        folder.add(this.settings, key, scene.choices[key])
            .onChange((value: string) => void this.actions.send({command: 'settings', [key]: value}));
    const most = folder.add(this.settings, 'max_solves', 0, 100, 1).name('max. solves');
    most.domElement.title = 'maximum number of linear solves per step; 0: until convergence for the guarded schemes, one for the others';
    most.onFinishChange((value: number) => void this.actions.send({command: 'settings', max_solves: value}));
  }

  private buildDisplay(): void {
    const folder = this.gui!.addFolder('Show');
    const labels: Record<keyof DisplayOptions, string> = {
      forces: 'colour by force (T)',
      contacts: 'contact forces (C)',
      joints: 'joints (J)',
      frames: 'frames (F)',
      grid: 'grid (G)',
    };
    for (const [key, label] of Object.entries(labels))
      folder.add(this.display, key as keyof DisplayOptions).name(label).onChange(() => this.actions.displayChanged());
    folder.close();
  }

  private buildPlots(scene: Scene): void {
    const folder = this.gui!.addFolder('Plots');
    const names = [
      {name: kSolves, unit: '', doc: 'linear solves of the last step'},
      ...scene.readings.filter(reading => this.live || scene.plots.includes(reading.name))
    ];
    const list = el(
        'datalist', {id: 'readings'},
        ...names.map(
            ({name, unit, doc}) => el('option', {value: name}, `${doc}${unit && unit !== '-' ? ` [${unit}]` : ''}`)));
    const field = el('input', {type: 'text', list: 'readings', placeholder: 'add a reading …', spellcheck: 'false'});
    const add = (): void => {
      if (field.value === '') return;
      this.actions.addPlot(field.value);
      field.value = '';
      field.blur();  // return the keyboard focus to the viewer
    };
    const listed = (): boolean => names.some(reading => reading.name === field.value);
    // a selection from the list is an input event without a key
    field.addEventListener('input', event => {
      if (!(event as InputEvent).inputType?.startsWith('insertText') && listed()) add();
    });
    field.addEventListener('change', () => listed() && add());
    // the name need not be in the list, which contains only the first bodies of large scenes
    field.addEventListener('keydown', event => {
      event.stopPropagation();
      if (event.key === 'Enter') add();
    });
    folder.$children.append(el('div', {class: 'slider-row reading'}, field, list));
  }

  showStatus(status: Status, refused = false): void {
    for (const [name, value] of Object.entries(status.parameters ?? {})) this.showParameter(name, value, refused);
    this.stepRow?.show(status.dt, refused);
    const {scheme, stabilisation, solver, max_solves} = status;
    Object.assign(this.settings, {scheme, stabilisation, solver, max_solves});
    this.refresh();
  }

  private showParameter(name: string, value: string|number, refused = false): void {
    this.rows.get(name)?.show(value, refused);
    if (name in this.choices) this.choices[name] = String(value);
  }

  // Updates lists and check boxes, except the one that has the focus.
  refresh(): void {
    for (const controller of this.gui?.controllersRecursive() ?? [])
      if (!controller.domElement.contains(document.activeElement)) controller.updateDisplay();
  }
}

// Parameters that are formulas have no slider.
function isPlain({value, choices}: Parameter): boolean { return choices.length > 0 || Number.isFinite(Number(value)); }
