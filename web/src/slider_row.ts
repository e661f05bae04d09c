// A row of the panel: name, slider, and an editable number with its unit. Supports logarithmic scales, unlike the
// sliders of lil-gui.
import {el} from './dom';
import {stripUnit, withUnit} from './numbers';
import {positionOf, valueAt, type SliderScale} from './slider_scale';

const kSteps = 1000;
const kPause = 80;   // minimum interval between commands while a slider moves [ms]
const kQuiet = 700;  // time after user input during which values of the engine are ignored [ms]

export interface RowOptions {
  name: string;
  doc: string;
  unit: string;
  scale: SliderScale|null;  // null: text field without slider
  text?: (value: number) => string;
  change: (value: string) => void;
}

export class SliderRow {
  readonly element: HTMLElement;
  private readonly slider = el('input', {type: 'range', min: '0', max: String(kSteps), step: '1'});
  private readonly field = el('input', {type: 'text', spellcheck: 'false'});
  private touched = 0;
  private timer: number|null = null;
  private waiting: string|null = null;

  constructor(private readonly options: RowOptions) {
    const {name, doc, scale} = options;
    this.slider.setAttribute('aria-label', name);
    this.field.setAttribute('aria-label', `${name}, number`);
    this.element =
        el('div', {class: 'slider-row', title: doc, 'data-name': name}, el('label', {}, name),
           ...(scale ? [this.slider] : []), this.field);
    this.slider.addEventListener('input', () => this.slid());
    this.slider.addEventListener('change', () => this.flush());
    this.field.addEventListener('focus', () => this.field.select());
    this.field.addEventListener('keydown', event => {
      event.stopPropagation();
      if (event.key === 'Enter') this.field.blur();
    });
    this.field.addEventListener('change', () => this.typed());
  }

  // Shows the value of the engine, except during user input, unless that input was refused.
  show(value: string|number, refused = false): void {
    if (!refused && (performance.now() - this.touched < kQuiet || document.activeElement === this.field)) return;
    const number = Number(value);
    if (this.options.scale && Number.isFinite(number))
      this.slider.value = String(Math.round(kSteps * positionOf(this.options.scale, number)));
    this.field.value = Number.isFinite(number) ? this.label(number) : String(value);
  }

  private label(value: number): string { return this.options.text?.(value) ?? withUnit(value, this.options.unit); }

  private slid(): void {
    const value = valueAt(this.options.scale!, Number(this.slider.value) / kSteps);
    this.field.value = this.label(value);
    this.touched = performance.now();
    this.waiting = String(value);
    this.timer ??= window.setTimeout(() => this.flush(), kPause);
  }

  private flush(): void {
    if (this.timer !== null) window.clearTimeout(this.timer);
    this.timer = null;
    if (this.waiting === null) return;
    this.options.change(this.waiting);
    this.waiting = null;
  }

  // "20 t", "15000 kg", "1/60": the unit is optional; other text is validated by the engine.
  private typed(): void {
    const text = this.field.value.trim();
    if (text === '') return;
    this.touched = performance.now();
    this.options.change(stripUnit(text, this.options.unit));
  }
}

export function rangeText(scale: SliderScale, unit: string): string {
  return `${withUnit(scale.lowest, unit)} … ${withUnit(scale.highest, unit)}${
      scale.logarithmic ? ', logarithmic' : ''}`;
}
