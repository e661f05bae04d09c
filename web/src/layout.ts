// Layout of the page: picture, plots at the left, controls at the right, time bar at the bottom.
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

  // Toggles all panels, the left one or the right one. Notices stay visible, except in rendered images.
  toggle(side: 'all'|'left'|'right', show?: boolean): void {
    const parts = {all: [this.left, this.right, this.bottom], left: [this.left], right: [this.right]}[side];
    const on = show ?? parts[0]!.classList.contains('away');
    for (const part of parts) part.classList.toggle('away', !on);
  }

  silence(yes: boolean): void { this.notices.classList.toggle('away', yes); }

  // Borders covered by panels, for the camera. In a narrow window the panels overlap the picture.
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
