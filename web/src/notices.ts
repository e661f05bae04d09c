// Notices over the picture: the red banner, errors of the scene file, a lost connection, a refused command.
import {el, setText} from './dom';

const kToastTime = 4000;  // [ms]

export class Notices {
  private readonly banner: HTMLElement;
  private readonly bannerText = el('span');
  private readonly error = el('pre', {id: 'scene-error', class: 'notice error', hidden: ''});
  private readonly lost =
      el('div', {id: 'lost', class: 'notice lost', hidden: ''}, 'Connection to the engine lost. Reconnecting …');
  private readonly toast = el('div', {id: 'toast', class: 'notice toast', hidden: ''});
  private timer = 0;

  constructor(parent: HTMLElement, reset: () => void) {
    this.banner =
        el('div', {id: 'banner', class: 'notice banner', hidden: '', role: 'alert'}, this.bannerText,
           el('button', {click: reset}, 'Reset'));
    parent.append(this.banner, this.lost, this.error, this.toast);
  }

  showBanner(text: string|null): void {
    this.banner.hidden = !text;
    setText(this.bannerText, text ?? '');
  }

  showError(text: string|null): void {
    this.error.hidden = !text;
    setText(this.error, text ?? '');
  }

  showLost(yes: boolean): void { this.lost.hidden = !yes; }

  say(text: string): void {
    setText(this.toast, text);
    this.toast.hidden = false;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.toast.hidden = true;
    }, kToastTime);
  }
}
