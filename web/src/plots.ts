// Plots, drawn with uPlot: the last seconds of a live run, or a whole recording with a cursor.
import uPlot from 'uplot';
import {el, setText} from './dom';
import {shortNumber, withUnit} from './numbers';
import {kSolves, type Diagram, type Series} from './series';

// Palette with contrast on white, safe for colour blindness [Okabe, Ito].
const kColours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const kHeight = 104;
const kWindow = 20;  // shown part of a live run [s]

interface Card {
  diagram: Diagram;
  element: HTMLElement;
  values: HTMLElement[];
  plot: uPlot;
  cursor: HTMLElement;
}

export class Plots {
  private cards: Card[] = [];
  private shape = '';

  constructor(
      private readonly parent: HTMLElement, private readonly whole: boolean,
      private readonly remove: (reading: string) => void) {}

  // Rebuilds the plots if the selection has changed.
  arrange(diagrams: Diagram[]): void {
    const shape = JSON.stringify(diagrams);
    if (shape === this.shape) return;
    this.shape = shape;
    for (const card of this.cards) {
      card.plot.destroy();
      card.element.remove();
    }
    this.cards = diagrams.map(diagram => this.makeCard(diagram));
  }

  private makeCard(diagram: Diagram): Card {
    const values = diagram.curves.map(() => el('span', {class: 'value'}));
    const legend = diagram.curves.map(
        (name, i) =>
            el('div', {class: 'curve', title: name}, el('i', {style: `background:${kColours[i]}`}),
               el('span', {class: 'name'}, shortName(name)), values[i]!,
               el('button', {title: `remove ${name}`, click: () => this.remove(name)}, '×')));
    const canvas = el('div', {class: 'diagram'});
    const element = el('div', {class: 'card plot'}, ...legend, canvas);
    this.parent.append(element);
    const plot =
        new uPlot(this.options(diagram, canvas.clientWidth || 272), [[], ...diagram.curves.map(() => [])], canvas);
    const cursor = el('div', {class: 'now'});
    plot.over.append(cursor);
    return {diagram, element, values, plot, cursor};
  }

  private options(diagram: Diagram, width: number): uPlot.Options {
    const font = '10px system-ui, sans-serif';
    const line = {stroke: '#e3e8ee', width: 1};
    const whole = diagram.curves[0] === kSolves;
    return {
      width,
      height: kHeight,
      padding: [6, 10, 0, 0],
      legend: {show: false},
      cursor: {show: false},
      scales: {
        x: {time: false},
        y: {range: (_, low, high) => yRange(low, high, diagram.unit, whole)},
      },
      axes: [
        {
          font,
          size: 20,
          gap: 2,
          ticks: {...line, size: 3},
          grid: line,
          stroke: '#66717e',
          values: (_, ticks) => ticks.map(t => `${shortNumber(t)} s`),
          space: 60
        },
        {
          font,
          size: 50,
          gap: 3,
          ticks: {...line, size: 3},
          grid: line,
          stroke: '#66717e',
          space: 26,
          values: (_, ticks) => tickTexts(ticks, diagram.unit)
        },
      ],
      series: [
        {},
        ...diagram.curves.map((_, i) => ({stroke: kColours[i]!, width: 1.5, points: {show: false}, spanGaps: false}))
      ],
    };
  }

  draw(series: Series, now: number, range: [number, number]): void {
    if (!this.parent.offsetParent && this.parent.offsetWidth === 0) return;  // hidden
    const [from, to] = this.whole ? range : [Math.max(range[0], now - kWindow), Math.max(now, kWindow)];
    const start = this.whole ? from : Math.max(0, Math.min(now - kWindow, to - kWindow));
    for (const {diagram, values, plot, cursor} of this.cards) {
      plot.setData(series.data(diagram.curves, start) as uPlot.AlignedData, false);
      plot.setScale('x', {min: start, max: this.whole ? to : start + kWindow});
      cursor.style.left = `${plot.valToPos(now, 'x')}px`;
      diagram.curves.forEach((name, i) => setText(values[i]!, withUnit(series.valueAt(name, now), diagram.unit)));
    }
  }
}

// Range with a margin above the rounding error of a constant, starting at zero if all values are positive.
function yRange(low: number|null, high: number|null, unit: string, whole: boolean): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  if (whole) return [0, Math.max(4, high * 1.15)];
  const width = Math.max(high - low, 1e-6 * Math.max(Math.abs(low), Math.abs(high)), unit === 'm' ? 1e-9 : 1e-12);
  const bottom = low >= 0 && low < 0.5 * high ? 0 : low - 0.08 * width;
  return [bottom, Math.max(high + 0.08 * width, bottom + width)];
}

// As many digits as needed to distinguish two ticks.
function tickTexts(ticks: number[], unit: string): string[] {
  const largest = Math.max(...ticks.map(Math.abs));
  const apart = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : largest;
  const digits = Math.min(7, Math.max(3, Math.ceil(Math.log10(largest / apart)) + 1));
  return ticks.map(
      tick => withUnit(Math.abs(tick) < 1e-6 * apart ? 0 : tick, unit, Number.isFinite(digits) ? digits : 3));
}

function shortName(name: string): string { return name.length <= 26 ? name : `…${name.slice(-25)}`; }
