// The card with the controls of the scene: a slider or a switch each, with its value and what else drives it. The
// buttons beside a slider act while they are held, like keys, which a touch screen lacks.
import {type ControlInput} from './control_input';
import {gamepadLabel, valueText, type Controls} from './controls';
import {el, setText} from './dom';
import {keyLabel} from './key_names';
import {type Control} from './protocol';
import {makeScale, positionOf, valueAt} from './slider_scale';

const kSteps = 100;  // an arrow key moves a slider by one hundredth of its range

interface Row {
  element: HTMLElement;
  update(): void;
}

export class ControlsPanel {
  private rows: Row[] = [];

  constructor(private readonly element: HTMLElement, private readonly controls: Controls) {}

  show(): void {
    this.rows = this.controls.inputs.map(input => input.isSwitch ? switchRow(input) : axisRow(input, this.controls));
    this.element.hidden = this.rows.length === 0;
    this.element.replaceChildren(
        el('div', {class: 'head'}, el('b', {}, 'Controls')), ...this.rows.map(row => row.element));
    this.update();
  }

  // A recording has the names of its controls, but nobody to obey them.
  showAbsent(controls: Control[]): void {
    this.element.hidden = controls.length === 0;
    this.element.replaceChildren(
        el('div', {class: 'head'}, el('b', {}, 'Controls')),
        el('div', {class: 'line'}, `Not available in a recording: ${controls.map(({name}) => name).join(', ')}`));
  }

  update(): void {
    for (const row of this.rows) row.update();
  }
}

function describe(control: Control): string {
  const {doc, lowest, highest, type} = control;
  return [doc, type === 'axis' ? `${valueText(control, lowest)} … ${valueText(control, highest)}` : '']
      .filter(Boolean)
      .join('\n');
}

function rowOf({control}: ControlInput, ...parts: HTMLElement[]): HTMLElement {
  return el('div', {class: 'control-row', 'data-name': control.name, title: describe(control)}, ...parts);
}

function gamepadChip({control}: ControlInput): HTMLElement[] {
  return control.gamepad ?
      [el('span', {class: 'gamepad', title: `gamepad: ${gamepadLabel(control)}`}, gamepadLabel(control))] :
      [];
}

function switchRow(input: ControlInput): Row {
  const {name, keys} = input.control;
  const box = el('input', {type: 'checkbox', role: 'switch', 'aria-label': name});
  const value = el('output');
  box.addEventListener('change', () => input.toggle());
  const key = keys[0] === undefined ? [] : [el('kbd', {}, keyLabel(keys[0]))];
  const element = rowOf(
      input, el('label', {class: 'top'}, el('span', {class: 'name'}, name), ...gamepadChip(input), ...key, value, box));
  return {
    element,
    update: () => {
      box.checked = input.isOn;
      setText(value, input.isOn ? 'on' : 'off');
    },
  };
}

function axisRow(input: ControlInput, controls: Controls): Row {
  const {control} = input;
  const {name, lowest, highest} = control;
  const value = el('output');
  const slider = sliderOf(input);
  const button = (direction: 1|- 1): HTMLElement => holdButton(input, controls, direction);
  const home =
      el('button', {
        class: 'home',
        title: `back to ${valueText(control, control.value)}`,
        'aria-label': `${name}: back to default`,
        click: () => input.restoreDefault()
      },
         '↺');
  const scale = makeScale(lowest, highest);
  const [lower, raise] = [button(-1), button(1)];
  const element = rowOf(
      input, el('div', {class: 'top'}, el('span', {class: 'name'}, name), ...gamepadChip(input), value, home),
      el('div', {class: 'lever'}, lower, slider, raise));
  let shown = NaN;
  return {
    element,
    update: () => {
      const byKeys = input.driver === 'keys';
      raise.classList.toggle('held', byKeys && input.value > control.value);
      lower.classList.toggle('held', byKeys && input.value < control.value);
      element.classList.toggle('by-gamepad', input.driver === 'gamepad');
      if (input.value === shown) return;
      shown = input.value;
      const text = valueText(control, shown);
      setText(value, text);
      slider.setAttribute('aria-valuetext', text);
      if (input.driver !== 'slider') slider.value = String(kSteps * positionOf({...scale, logarithmic: false}, shown));
    },
  };
}

// A step of the slider around the default is the default itself, so that a lever can be put back by hand.
function sliderOf(input: ControlInput): HTMLInputElement {
  const {name, lowest, highest, value} = input.control;
  const slider = el('input', {type: 'range', min: '0', max: String(kSteps), step: '1', 'aria-label': name});
  const scale = {...makeScale(lowest, highest), logarithmic: false};
  const home = kSteps * positionOf(scale, value);
  slider.addEventListener('input', () => {
    const at = Number(slider.value);
    input.slide(Math.abs(at - home) <= 0.5 ? value : valueAt(scale, at / kSteps));
  });
  for (const end of ['change', 'pointerup', 'pointercancel', 'blur']) slider.addEventListener(end, () => input.drop());
  return slider;
}

// Not reached by Tab: the slider beside it is, and does the same.
function holdButton(input: ControlInput, controls: Controls, direction: 1|- 1): HTMLElement {
  const {control} = input;
  const key = control.keys[direction > 0 ? 0 : 1];
  const by = `${control.name} ${direction}`;
  const what = `${control.name} ${direction > 0 ? 'up' : 'down'}`;
  const button =
      el('button', {class: 'hold', tabindex: '-1', 'aria-label': `${what} while held`, title: `${what} while held`},
         key === undefined ? direction > 0 ? '+' : '−' : el('kbd', {}, keyLabel(key)));
  button.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    controls.hold(by, input, direction);
  });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
    button.addEventListener(end, () => controls.unhold(by));
  button.addEventListener('contextmenu', event => event.preventDefault());  // a long touch
  return button;
}
