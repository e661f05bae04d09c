// Reads gamepads, which browsers report by polling only.
//
// A stick counts only after it was at rest once: a throttle that rests at an end, or a stick that is held while the page
// returns, does not set a machine in motion.
import {type GamepadSource} from './protocol';

// Sticks rest within a tenth of their centre; the rest of the way is rescaled, so that motion starts at zero.
export const kDeadZone = 0.1;
// A stick that is held trembles by less than a hundredth, and only changes are sent.
const kResolution = 0.01;

// The part of the browser's Gamepad that is used.
export interface Pad {
  index: number;
  id: string;
  connected: boolean;
  axes: readonly number[];
  buttons: readonly{value: number}[];
}

export function withoutDeadZone(raw: number): number {
  const size = Math.min(1, (Math.abs(raw) - kDeadZone) / (1 - kDeadZone));
  return size > 0 ? Math.sign(raw) * Math.round(size / kResolution) * kResolution : 0;
}

export class Gamepads {
  private readonly names = new Map<number, string>();  // of the connected ones, by index
  private readonly rested = new Set<string>();         // axes and buttons that were at rest once
  private pads: Pad[] = [];

  constructor(private readonly read: () => readonly(Pad | null)[], private readonly events: {
    found(name: string): void; lost(name: string): void
  }) {}

  get connected(): boolean { return this.names.size > 0; }

  // Reads all gamepads and reports those that came or went.
  scan(): void {
    this.pads = this.read().filter((pad): pad is Pad => pad !== null && pad.connected);
    const lost = [...this.names].filter(([index]) => !this.pads.some(pad => pad.index === index));
    for (const [index, name] of lost) {
      this.names.delete(index);
      for (const key of this.rested)
        if (key.startsWith(`${index}:`)) this.rested.delete(key);
      this.events.lost(name);
    }
    for (const {index, id} of this.pads) {
      if (this.names.has(index)) continue;
      this.names.set(index, id);
      this.events.found(id);
    }
  }

  // Axes and buttons have to return to rest before they count again: all, or those of one source.
  disarm(source: GamepadSource|null = null): void {
    for (const key of this.rested)
      if (source === null || key.endsWith(`:${partName(source)}`)) this.rested.delete(key);
  }

  // Deflection from −1 to 1 of the gamepad that is deflected most; 0 to 1 for a button. Null if it has to return to rest
  // before it counts.
  deflection(source: GamepadSource): number|null {
    let most = 0, waits = false;
    for (const pad of this.pads) {
      const isAxis = 'axis' in source;
      const raw = isAxis ? pad.axes[source.axis] : pad.buttons[source.button]?.value;
      if (raw === undefined || !Number.isFinite(raw)) continue;
      const value = withoutDeadZone(isAxis && source.reversed ? -raw : raw);
      const key = `${pad.index}:${partName(source)}`;
      if (value === 0) this.rested.add(key);
      if (!this.rested.has(key))
        waits = true;
      else if (Math.abs(value) > Math.abs(most))
        most = value;
    }
    return most === 0 && waits ? null : most;
  }
}

function partName(source: GamepadSource): string {
  return 'axis' in source ? `axis ${source.axis}` : `button ${source.button}`;
}
