// Ring buffer of rows of numbers over time: keeps the latest `capacity` rows.

export class RingTable {
  private readonly columns: Float64Array[];
  private start = 0;
  private count = 0;

  constructor(readonly width: number, readonly capacity: number) {
    if (!(capacity >= 1)) throw new Error(`a ring of ${capacity} rows; it needs at least one`);
    this.columns = Array.from({length: width}, () => new Float64Array(capacity));
  }

  get length(): number { return this.count; }

  clear(): void { this.start = this.count = 0; }

  push(row: ArrayLike<number>): void {
    const at = (this.start + this.count) % this.capacity;
    for (let i = 0; i < this.width; ++i) this.columns[i]![at] = i < row.length ? row[i]! : NaN;
    if (this.count < this.capacity)
      ++this.count;
    else
      this.start = (this.start + 1) % this.capacity;
  }

  at(column: number, row: number): number { return this.columns[column]![(this.start + row) % this.capacity]!; }

  // Removes the rows at the end whose time is not below `time`, after a rewind.
  dropFrom(time: number): void {
    while (this.count > 0 && this.at(0, this.count - 1) >= time) --this.count;
  }

  // First row at or after `time`.
  find(time: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(0, middle) < time)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  // A column from a given row on, as a plain array; NaN becomes null, which is a gap in a curve.
  column(index: number, from = 0): (number|null)[] {
    const out = new Array<number|null>(Math.max(0, this.count - from));
    for (let i = 0; i < out.length; ++i) {
      const value = this.at(index, from + i);
      out[i] = Number.isNaN(value) ? null : value;
    }
    return out;
  }
}

// Events per second over the last seconds. What arrives in one bunch after a pause still counts over all of it.
export class RateMeter {
  private readonly times: number[] = [];
  private first = NaN;
  constructor(private readonly window = 2) {}

  tick(now: number): void {
    if (Number.isNaN(this.first)) this.first = now;
    this.times.push(now);
    this.drop(now);
  }

  rate(now: number): number {
    this.drop(now);
    const since = Math.min(this.window, now - this.first);
    return since > 0 ? this.times.length / Math.max(since, 0.1) : 0;
  }

  private drop(now: number): void {
    let old = 0;
    while (old < this.times.length && this.times[old]! <= now - this.window) ++old;
    if (old > 0) this.times.splice(0, old);
  }
}
