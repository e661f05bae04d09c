// The places of the page: picture, plots at the left, controls at the right, the bar of time at the bottom.
import {type Margins} from './camera';
import {el} from './dom';

export class Layout {
  readonly stage = el('div', {id: 'stage'});
  readonly title = el('div', {class: 'card title'});
  readonly plots = el('div', {id: 'plots'});
  readonly left = el('div', {id: 'left'}, this.title, this.plots);
  readonly controls = el('div', {id: 'controls'});
  readonly right = el('div', {id: 'right'}, this.controls);
  readonly bottom = el('div', {id: 'bottom', class: 'card'});
  readonly notices = el('div', {id: 'notices'});
  hidden = false;

  constructor() { document.body.append(this.stage, this.left, this.right, this.bottom, this.notices); }

  // All panels, the left one, or the right one. What must be said is said all the same, except in pictures.
  toggle(side: 'all'|'left'|'right', show?: boolean): void {
    const parts = {all: [this.left, this.right, this.bottom], left: [this.left], right: [this.right]}[side];
    const on = show ?? parts[0]!.classList.contains('away');
    for (const part of parts) part.classList.toggle('away', !on);
  }

  silence(yes: boolean): void { this.notices.classList.toggle('away', yes); }

  // What panels cover, for a camera that frames what is left. A narrow window has no room to spare: there they lie over.
  margins(): Margins {
    const is = (part: HTMLElement): boolean => !part.classList.contains('away');
    const wide = window.innerWidth >= 900;
    return {
      left: wide && is(this.left) ? this.left.getBoundingClientRect().right : 0,
      right: wide && is(this.right) ? window.innerWidth - this.right.getBoundingClientRect().left : 0,
      top: 0,
      bottom: is(this.bottom) ? window.innerHeight - this.bottom.getBoundingClientRect().top : 0,
    };
  }
}
