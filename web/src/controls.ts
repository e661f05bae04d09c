// The controls of the scene, driven by keys, gamepads and the buttons and sliders of their panel. No part of it needs
// the DOM: keys and gamepads are passed in.
import {ControlInput} from './control_input';
import {type Gamepads} from './gamepads';
import {keyLabel} from './key_names';
import {withUnit} from './numbers';
import {type Control} from './protocol';

// With Shift, keys deflect a control by a fifth: fast enough to reach a target, slow enough to stop on it.
export const kFine = 0.2;

// The part of a KeyboardEvent that is used.
export interface KeyStroke {
  key: string;
  code: string;
  shiftKey: boolean;
  repeat: boolean;
}

interface Hold {
  input: ControlInput;
  direction: 1|- 1;
  overruled?: boolean;  // without effect until its release
}

export class Controls {
  inputs: ControlInput[] = [];
  private readonly held = new Map<string, Hold[]>();   // by physical key, or by button of the panel
  private readonly downButtons = new Set<ControlInput>();  // switches whose gamepad button is down
  private fine = false;
  private signature = '';

  constructor(
      private readonly send: (name: string, value: number) => boolean, private readonly gamepads: Gamepads|null,
      private readonly now: () => number = () => performance.now()) {}

  // A rebuilt scene with the same controls keeps them, but held keys are released. Returns whether they are others.
  show(controls: Control[]): boolean {
    const signature = JSON.stringify(controls);
    if (signature === this.signature) {
      this.letGo();
      return false;
    }
    this.signature = signature;
    this.held.clear();
    this.downButtons.clear();
    this.gamepads?.disarm();
    this.inputs = controls.map(control => new ControlInput(control, this.send, this.now));
    return true;
  }

  heard(values: Record<string, number>): void {
    for (const input of this.inputs) {
      const value = values[input.control.name];
      if (value === undefined || !input.heard(value)) continue;
      // what overruled a held key or stick stays until its release
      for (const hold of this.holds())
        if (hold.input === input) hold.overruled = true;
      if (input.control.gamepad) this.gamepads?.disarm(input.control.gamepad);
    }
  }

  refused(): void {
    for (const input of this.inputs) input.refused();
  }

  // The control that a key drives; `key` as KeyboardEvent.key.
  drivenBy(key: string): ControlInput|null {
    return this.inputs.find(({control}) => control.keys.includes(key.toLowerCase())) ?? null;
  }

  // Returns whether the key belongs to a control.
  keyDown(stroke: KeyStroke): boolean {
    this.setFine(stroke.shiftKey);
    // a Mac reports no release of keys while Meta is down
    if (stroke.key === 'Meta') this.releaseKeys();
    return this.strike(stroke, stroke.key.toLowerCase());
  }

  // Shift turns a digit into another character, which may be a key of the viewer: asked after those.
  shiftedDigit(stroke: KeyStroke): boolean {
    const digit = /^Digit(\d)$/.exec(stroke.code)?.[1];
    return stroke.shiftKey && digit !== undefined && this.strike(stroke, digit);
  }

  // By physical key: Shift may have changed the character since the key went down.
  keyUp(stroke: KeyStroke): void {
    this.setFine(stroke.shiftKey);
    this.unhold(physical(stroke));
  }

  private strike(stroke: KeyStroke, key: string): boolean {
    const driven = this.inputs.filter(({control}) => control.keys.includes(key));
    if (driven.length === 0) return false;
    if (stroke.repeat) return true;
    for (const input of driven)
      if (input.isSwitch)
        input.toggle();
      else
        this.hold(physical(stroke), input, input.control.keys[0] === key ? 1 : -1);
    return true;
  }

  // `by` names the key or button that is held.
  hold(by: string, input: ControlInput, direction: 1|- 1): void {
    const holds = this.held.get(by) ?? [];
    if (!holds.some(hold => hold.input === input)) this.held.set(by, [...holds, {input, direction}]);
    this.apply(input);
  }

  unhold(by: string): void {
    const holds = this.held.get(by) ?? [];
    this.held.delete(by);
    for (const {input} of holds) this.apply(input);
  }

  private holds(): Hold[] { return [...this.held.values()].flat(); }

  // Held keys in both directions cancel each other.
  private apply(input: ControlInput): void {
    const holds = this.holds().filter(hold => hold.input === input && !hold.overruled);
    const up = holds.some(({direction}) => direction > 0), down = holds.some(({direction}) => direction < 0);
    input.press(holds.length === 0 ? null : (Number(up) - Number(down)) * (this.fine ? kFine : 1));
  }

  private setFine(on: boolean): void {
    if (on === this.fine) return;
    this.fine = on;
    for (const input of new Set(this.holds().map(hold => hold.input)))
      if (input.driver === 'keys') this.apply(input);
  }

  // The window lost the focus: releases of keys will not be reported. Gamepads work in any visible page.
  releaseKeys(): void {
    const holds = this.holds();
    this.held.clear();
    this.fine = false;
    for (const {input} of holds) this.apply(input);
  }

  // The page is hidden, the connection is lost, or the scene was rebuilt.
  letGo(): void {
    this.releaseKeys();
    this.gamepads?.disarm();
    for (const input of this.inputs) input.letGo();
  }

  // For each animation frame while a gamepad is connected.
  poll(): void {
    if (!this.gamepads?.connected) return;
    this.gamepads.scan();
    this.readGamepads();
  }

  // After an event of the browser that a gamepad came or went.
  gamepadsChanged(): void {
    this.gamepads?.scan();
    this.readGamepads();
  }

  private readGamepads(): void {
    for (const input of this.inputs) {
      if (!input.control.gamepad) continue;
      const deflection = this.gamepads!.deflection(input.control.gamepad);
      if (deflection === null) continue;
      if (!input.isSwitch)
        input.tilt(deflection);
      else if (deflection < 0.5)
        this.downButtons.delete(input);
      else if (!this.downButtons.has(input)) {
        this.downButtons.add(input);
        input.toggle();
      }
    }
  }

  get usesGamepad(): boolean { return this.inputs.some(({control}) => control.gamepad !== null); }

  // Rows of the help page: keys and gamepad, and what they do.
  help(): [string[], string][] {
    return this.inputs.flatMap(({control}): [string[], string][] => {
      const by = [...control.keys.map(keyLabel), ...control.gamepad ? [gamepadLabel(control)] : []];
      if (by.length === 0) return [];
      const {name, lowest, highest, type} = control;
      const between = control.keys.length > 0 ? ', ' : ' … ';
      const ends = [highest, lowest].map(value => valueText(control, value)).join(between);
      return [[by, `${name}: ${type === 'switch' ? 'on or off' : ends}`]];
    });
  }
}

function physical({code, key}: KeyStroke): string { return code || key.toLowerCase(); }

export function gamepadLabel({gamepad}: Control): string {
  if (!gamepad) return '';
  return 'axis' in gamepad ? `axis ${gamepad.axis}${gamepad.reversed ? ' reversed' : ''}` : `button ${gamepad.button}`;
}

// With the same prefix for the whole range; speeds are usual in m/s, below 1 m/s as well.
export function valueText({lowest, highest, unit}: Control, value: number): string {
  return withUnit(value, unit, 3, Math.max(1, Math.abs(lowest), Math.abs(highest)));
}
