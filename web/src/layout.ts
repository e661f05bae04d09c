// Layout of the page: picture, plots at the left, controls and settings at the right, time bar at the bottom.
import {type Margins} from './camera';
import {el} from './dom';

const kNarrow = 900;  // below this width the panels overlap the picture [px], as in viewer.css
const kPhone = 600;   // below it the title is at the top and the controls at the bottom [px], as in viewer.css

export function isPhone(): boolean { return window.innerWidth <= kPhone; }

export class Layout {
  readonly stage = el('div', {id: 'stage'});
  readonly title = el('div', {class: 'card title'});
  readonly plots = el('div', {id: 'plots'});
  readonly left = el('div', {id: 'left'}, this.title, this.plots);
  readonly settings = el('div', {id: 'settings'});
  readonly controls = el('section', {id: 'controls', class: 'card', hidden: '', 'aria-label': 'controls'});
  readonly right = el('div', {id: 'right'}, this.controls, this.settings);
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

  // Borders covered by panels, for the camera. In a narrow window the panels overlap the picture; on a phone it lies
  // between the title and the controls.
  margins(): Margins {
    const is = (part: HTMLElement): boolean => part.getClientRects().length > 0;
    const wide = window.innerWidth > kNarrow;
    const lowest = isPhone() && is(this.controls) ? this.controls : this.bottom;
    return {
      left: wide && is(this.left) ? this.left.getBoundingClientRect().right : 0,
      right: wide && is(this.right) ? window.innerWidth - this.right.getBoundingClientRect().left : 0,
      top: isPhone() && is(this.left) ? this.left.getBoundingClientRect().bottom : 0,
      bottom: is(lowest) ? window.innerHeight - lowest.getBoundingClientRect().top : 0,
    };
  }
}
