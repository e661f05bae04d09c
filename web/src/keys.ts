// Keyboard handling (keys similar to those of MuJoCo's viewer) and the help page.
import {el} from './dom';

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

export class Keys {
  private readonly help: HTMLElement;

  constructor(private readonly keys: Key[]) {
    const row = ([what, does]: [string, string]): HTMLElement =>
        el('tr', {}, el('td', {}, el('kbd', {}, what)), el('td', {}, does));
    this.help =
        el('div', {id: 'help', class: 'help', hidden: '', click: () => this.toggleHelp()},
           el('div', {class: 'card'}, el('h2', {}, 'Keys and mouse'),
              el('div', {class: 'columns'},
                 el('table', {}, ...keys.map(({keys: [first], label, does}) => row([label ?? first!, does]))),
                 el('table', {}, ...kMouse.map(row)))));
    document.body.append(this.help);
    window.addEventListener('keydown', event => this.press(event));
  }

  toggleHelp(on = this.help.hidden): void { this.help.hidden = !on; }
  get helpIsOpen(): boolean { return !this.help.hidden; }

  private press(event: KeyboardEvent): void {
    // keys typed into fields, and Ctrl combinations of the browser, are not handled here
    const typing =
        event.target instanceof Element && event.target.closest('input[type=text], select, textarea') !== null;
    if (event.ctrlKey || event.altKey || event.metaKey || typing) return;
    const key = this.keys.find(({keys}) => keys.includes(event.key));
    if (!key) return;
    event.preventDefault();
    key.act();
  }
}
