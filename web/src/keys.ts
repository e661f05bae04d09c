// Keyboard handling (keys similar to those of MuJoCo's viewer) and the help page. Keys of the scene's controls come
// first.
import {type Controls, type KeyStroke} from './controls';
import {el} from './dom';
import {keyLabel, usedByFocus} from './key_names';

export interface Key {
  keys: string[];  // as KeyboardEvent.key; the first is the one shown
  label?: string;
  does: string;
  act: () => void;
}

const kMouse: [string, string][] = [
  ['drag', 'rotate the view'],
  ['right drag, Shift drag', 'pan the view'],
  ['wheel', 'zoom'],
  ['Ctrl drag', 'pull a body with a spring'],
  ['double-click', 'select a body'],
  ['right double-click', 'centre the view on a point'],
  ['Ctrl + right double-click', 'follow a body'],
];

const row = (what: string[], does: string, attributes: Record<string, string> = {}): HTMLElement =>
    el('tr', attributes, el('td', {}, ...what.flatMap(key => [el('kbd', {}, key), ' '])), el('td', {}, does));

export class Keys {
  private readonly columns = el('div', {class: 'columns'});
  private readonly help: HTMLElement =
      el('div', {id: 'help', class: 'help', hidden: '', click: () => this.toggleHelp()},
         el('div', {class: 'card'}, el('h2', {}, 'Keys and mouse'), this.columns));

  constructor(private readonly keys: Key[], private readonly controls: Controls) {
    document.body.append(this.help);
    window.addEventListener('keydown', event => this.press(event));
  }

  toggleHelp(on = this.help.hidden): void {
    if (on) this.columns.replaceChildren(...this.tables());
    this.help.hidden = !on;
  }
  get helpIsOpen(): boolean { return !this.help.hidden; }

  private press(event: KeyboardEvent): void {
    // keys of the focused element, and Ctrl combinations of the browser, are not handled here
    if (event.ctrlKey || event.altKey || event.metaKey || usedByFocus(event)) return;
    if (this.act(event)) event.preventDefault();
  }

  private act(event: KeyStroke): boolean {
    if (this.controls.keyDown(event)) return true;
    const key = this.keys.find(({keys}) => keys.includes(event.key));
    if (!key) return this.controls.shiftedDigit(event);
    key.act();
    return true;
  }

  private tables(): HTMLElement[] {
    const controls = this.controls.help().map(([what, does]) => row(what, does));
    if (this.controls.inputs.some(({control, isSwitch}) => !isSwitch && control.keys.length > 0))
      controls.push(row(['Shift + key'], 'a fifth of the deflection'));
    return [
      ...controls.length > 0 ?
          [el('table', {class: 'of-scene'}, el('caption', {}, 'Controls of the scene'), ...controls)] :
          [],
      el('table', {}, ...this.keys.map(key => this.keyRow(key))),
      el('table', {}, ...kMouse.map(([what, does]) => row([what], does))),
    ];
  }

  // A key that drives a control is missing here, unless another one has the same function.
  private keyRow({keys, label, does}: Key): HTMLElement {
    const free = keys.filter(key => !this.controls.drivenBy(key));
    if (free.length === keys.length) return row([label ?? keys[0]!], does);
    if (free.length > 0) return row([keyLabel(free[0]!)], does);
    const name = this.controls.drivenBy(keys[0]!)!.control.name;
    return row([label ?? keys[0]!], `${does} (the key drives ${name})`, {class: 'taken'});
  }
}
