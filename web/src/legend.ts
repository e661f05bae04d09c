// The colour scale of forces.
import {cssGradient, type ForceRange} from './colour_scale';
import {el, setText} from './dom';
import {withUnit} from './numbers';

export class Legend {
  readonly element: HTMLElement;
  private readonly labels = [0, 1, 2].map(() => el('span'));
  private readonly lock: HTMLButtonElement;

  constructor(private readonly range: ForceRange) {
    this.lock = el('button', {
      class: 'lock',
      click: () => {
        range.locked = !range.locked;
        this.update();
      }
    });
    this.element = el(
        'div', {class: 'card legend', id: 'legend'},
        el('div', {class: 'head'}, el('b', {}, 'Joint force'), this.lock),
        el('div', {class: 'bar', style: `background:${cssGradient()}`}), el('div', {class: 'ticks'}, ...this.labels));
  }

  update(): void {
    const {top, locked} = this.range;
    setText(this.labels[0]!, '0');
    setText(this.labels[1]!, withUnit(top / 2, 'N'));
    setText(this.labels[2]!, withUnit(top, 'N'));
    setText(this.lock, locked ? 'locked' : 'automatic');
    this.lock.title = locked ? 'fixed range; click to follow the largest force' :
                               'the range follows the largest force; click to lock it';
  }
}
