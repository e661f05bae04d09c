// Time series of readings: which are shown, in which plot, and their values.
//
// Readings with the same unit share a plot. Solves per step are part of every frame and need no reading.
import {type Frame, type Reading, type Scene} from './protocol';
import {RingTable} from './ring';

export const kSolves = 'solves per step';
const kCapacity = 60 * 60 * 2;  // one minute at 120 frames per second

export interface Diagram {
  unit: string;
  curves: string[];
}

// Default plots: energy, the largest gap, and the readings that the scene records.
const kUsual = ['energy.total', 'energy.kinetic', 'gap.max'];

export function usualReadings(scene: Scene): string[] {
  const known = new Set(scene.readings.map(reading => reading.name));
  const usual = kUsual.filter(name => known.has(name));
  return usual.length > 0 ? usual : scene.plots.slice(0, 3);
}

export class Series {
  private readonly units: Map<string, string>;
  private carried: string[] = [];  // readings that are part of the frames, in order
  private table = new RingTable(2, kCapacity);

  constructor(scene: Scene) {
    this.units = new Map(scene.readings.map(({name, unit}: Reading) => [name, unit]));
    this.setCarried(scene.plots);
  }

  // Changes the readings of the frames; the data of those that remain are kept.
  setCarried(names: string[]): void {
    if (names.join('\n') === this.carried.join('\n')) return;
    const [old, oldNames] = [this.table, this.carried];
    this.carried = [...names];
    this.table = new RingTable(2 + names.length, kCapacity);
    const from = [0, 1, ...names.map(name => columnIn(oldNames, name))];
    for (let row = 0; row < old.length; ++row)
      this.table.push(from.map(column => column < 0 ? NaN : old.at(column, row)));
  }

  // Adds all frames of a recording.
  load(frames: Frame[]): void {
    this.table = new RingTable(2 + this.carried.length, Math.max(1, frames.length));
    for (const frame of frames) this.add(frame);
  }

  // Adds a frame; an earlier time than the last one means a rewind or a reset.
  add(frame: Frame): void {
    if (frame.plots.length !== this.carried.length) return;  // the new list of plots has not arrived yet
    this.table.dropFrom(frame.time);
    this.table.push([frame.time, frame.solves, ...frame.plots]);
  }

  private columnOf(name: string): number { return name === kSolves ? 1 : columnIn(this.carried, name); }

  get length(): number { return this.table.length; }
  get latest(): number { return this.length > 0 ? this.table.at(0, this.length - 1) : 0; }
  unitOf(name: string): string { return name === kSolves ? '' : this.units.get(name) ?? ''; }

  diagrams(shown: string[]): Diagram[] {
    const out: Diagram[] = [];
    for (const name of shown) {
      const unit = this.unitOf(name);
      const fitting = name === kSolves || unit === '-' ?
          undefined :
          out.find(d => d.unit === unit && d.curves.length < 4 && !d.curves.includes(kSolves));
      if (fitting)
        fitting.curves.push(name);
      else
        out.push({unit, curves: [name]});
    }
    return out;
  }

  // Times and values of a plot from a given time on; at most about `most` points each.
  data(curves: string[], from: number, most = 600): (number|null)[][] {
    const first = Math.max(0, this.table.find(from) - 1);
    const columns = [0, ...curves.map(name => this.columnOf(name))];
    const stride = Math.max(1, Math.ceil((this.length - first) / most));
    const out: (number|null)[][] = columns.map(() => []);
    for (let row = first; row < this.length; row += stride)
      columns.forEach((column, i) => {
        const value = column < 0 ? NaN : this.table.at(column, row);
        out[i]!.push(Number.isFinite(value) ? value : null);
      });
    return out;
  }

  // The value of a curve at a time, for the legend; NaN if there is none.
  valueAt(name: string, time: number): number {
    const column = this.columnOf(name);
    if (this.length === 0 || column < 0) return NaN;
    const row = Math.min(this.length - 1, this.table.find(time + 1e-9));
    return this.table.at(column, Math.max(0, this.table.at(0, row) > time + 1e-9 ? row - 1 : row));
  }
}

// Column after time and solves; -1 for a missing reading.
function columnIn(carried: string[], name: string): number {
  const at = carried.indexOf(name);
  return at < 0 ? -1 : at + 2;
}
