// The wanted value of one control, and what sets it: held keys, a gamepad, the slider, or another client.
//
// Keys and gamepads return the control to its default when they are released; a slider leaves it where it is. Another
// value of the engine was set by someone else, or by a rewind: it overrules held keys and gamepads, but never a slider
// that is being dragged. The release of an overruled key or stick restores the default nevertheless: a machine must not
// go on because a status was late.
import {type Control} from './protocol';

// A status may be older than the value that was sent last: other values are ignored for the first time [ms], and until the
// value itself was seen for the second one. After that the engine has not taken it.
export const kAnswerTime = 700;
export const kLongestAnswer = 5000;
// The engine and the page compute with doubles; text of a JSON number may lose the last digits (share of the range).
const kSame = 1e-9;

export type Driver = 'keys'|'gamepad'|'slider'|null;

export class ControlInput {
  value: number;
  driver: Driver = null;
  private overruled: Driver = null;         // what was overruled and is not released
  private sentAt = -Infinity;               // [ms]
  private unconfirmed: number|null = null;  // the last sent value, until a status has it
  private unsent = false;

  constructor(
      readonly control: Control, private readonly send: (name: string, value: number) => boolean,
      private readonly now: () => number) {
    this.value = control.value;
  }

  get isSwitch(): boolean { return this.control.type === 'switch'; }
  get isOn(): boolean { return this.value > (this.control.lowest + this.control.highest) / 2; }

  // The value at a deflection from −1 (lowest) through 0 (default) to 1 (highest).
  at(deflection: number): number {
    const {lowest, highest, value} = this.control;
    return deflection < 0 ? value + deflection * (value - lowest) : value + deflection * (highest - value);
  }

  // Held keys; null when none is held any more.
  press(deflection: number|null): void {
    if (deflection === null)
      this.release('keys');
    else
      this.drive('keys', this.at(deflection));
  }

  // A stick or trigger of a gamepad; it does not interfere with held keys and a dragged slider.
  tilt(deflection: number): void {
    if (deflection === 0)
      this.release('gamepad');
    else if (this.driver === null || this.driver === 'gamepad')
      this.drive('gamepad', this.at(deflection));
  }

  slide(value: number): void { this.drive('slider', value); }
  drop(): void {
    if (this.driver === 'slider') this.driver = null;
  }

  toggle(): void { this.want(this.isOn ? this.control.lowest : this.control.highest); }

  // Sent even if it seems to be the value already: a late status may have said so.
  restoreDefault(): void {
    const late = this.overruled !== null;
    this.drive(null, this.control.value, late);
  }

  // Releases keys and gamepad, whatever their state is.
  letGo(): void {
    if (this.overruled !== null || this.driver === 'keys' || this.driver === 'gamepad') this.restoreDefault();
  }

  // The value of the engine. Returns whether it overruled the keys or the gamepad.
  heard(value: number): boolean {
    if (this.unsent) {
      this.transmit();
      return false;
    }
    if (this.unconfirmed !== null && this.same(value, this.unconfirmed)) this.unconfirmed = null;
    const waiting = this.now() - this.sentAt < (this.unconfirmed === null ? kAnswerTime : kLongestAnswer);
    if (waiting || this.driver === 'slider' || this.same(value, this.value)) return false;
    const overrules = this.driver !== null;
    if (overrules) this.overruled = this.driver;
    this.driver = null;
    this.value = value;
    return overrules;
  }

  // The engine refused a value: the next status is believed.
  refused(): void { this.sentAt = -Infinity; }

  private same(a: number, b: number): boolean {
    return Math.abs(a - b) <= kSame * (this.control.highest - this.control.lowest);
  }

  private drive(driver: Driver, value: number, always = false): void {
    this.driver = driver;
    this.overruled = null;
    this.want(value, always);
  }

  private release(driver: Driver): void {
    if (this.driver === driver || this.overruled === driver) this.restoreDefault();
  }

  // Only changes are sent.
  private want(value: number, always = false): void {
    const {lowest, highest} = this.control;
    const wanted = Math.min(highest, Math.max(lowest, value));
    if (wanted === this.value && !always) return;
    this.value = wanted;
    this.transmit();
  }

  // Without a connection the value is sent with the first status after it.
  private transmit(): void {
    this.unsent = !this.send(this.control.name, this.value);
    this.unconfirmed = this.value;
    this.sentAt = this.now();
  }
}
