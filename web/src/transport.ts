// The time bar at the bottom: play, pause, step, reset, speed, and the time slider.
import {el, setText} from './dom';
import {shortNumber} from './numbers';
import {nextSpeed, type Player} from './player';

const icon = (path: string): HTMLElement => {
  const holder = el('span', {class: 'icon'});
  holder.innerHTML = `<svg viewBox="0 0 16 16" width="16" height="16"><path fill="currentColor" d="${path}"/></svg>`;
  return holder;
};
const kPlay = 'M4 2l9 6-9 6z', kPause = 'M3 2h4v12H3zM9 2h4v12H9z', kStep = 'M2 2l7 6-7 6zM10 2h3v12h-3z';
const kBack = 'M14 2L7 8l7 6zM3 2h3v12H3z', kReset = 'M8 2a6 6 0 1 1-5.7 4.1l1.9.6A4 4 0 1 0 8 4v3L3.5 3.5 8 0z';

export class Transport {
  private readonly playButton: HTMLButtonElement;
  private readonly slider =
      el('input', {type: 'range', min: '0', max: '1', step: '1', 'aria-label': 'time', title: 'time'});
  private readonly clock = el('span', {class: 'clock'});
  private readonly speed = el('span', {class: 'speed', title: 'speed relative to real time (+ and −)'});
  private held = false;
  private timer: number|null = null;

  constructor(parent: HTMLElement, private readonly player: Player, help: () => void) {
    const button = (path: string, title: string, click: () => void): HTMLButtonElement =>
        el('button', {title, 'aria-label': title, click}, icon(path));
    this.playButton = button(kPlay, 'play or pause (Space)', () => this.toggle());
    this.playButton.id = 'play';
    this.slider.max = '1000';
    this.slider.addEventListener('pointerdown', () => {
      this.held = true;
    });
    for (const name of ['pointerup', 'pointercancel', 'change'])
      this.slider.addEventListener(name, () => {
        this.held = false;
      });
    this.slider.addEventListener('input', () => this.scrub());
    parent.append(
        button(kReset, 'reset (Backspace)', () => player.reset()),
        button(kBack, 'one step back (←)', () => player.step(-1)), this.playButton,
        button(kStep, 'one step forward (→)', () => player.step(1)), this.slider, this.clock,
        el('button',
           {title: 'slower (−)', 'aria-label': 'slower', click: () => player.setSpeed(nextSpeed(player.speed, -1))},
           '−'),
        this.speed,
        el('button',
           {title: 'faster (+)', 'aria-label': 'faster', click: () => player.setSpeed(nextSpeed(player.speed, 1))},
           '+'),
        el('button', {title: 'keys and mouse (F1)', 'aria-label': 'help', click: help}, '?'));
  }

  toggle(): void {
    if (this.player.playing)
      this.player.pause();
    else
      this.player.play();
  }

  // Sent every few frames at most, because a rewind costs the engine some steps.
  private scrub(): void {
    this.timer ??= window.setTimeout(() => {
      this.timer = null;
      const [from, to] = this.player.range;
      this.player.seek(from + (to - from) * Number(this.slider.value) / 1000);
    }, this.player.live ? 60 : 0);
  }

  update(): void {
    const {playing, time, speed, range: [from, to]} = this.player;
    const state = playing ? 'pause' : 'play';
    if (this.playButton.dataset['state'] !== state) {
      this.playButton.dataset['state'] = state;
      this.playButton.querySelector('path')!.setAttribute('d', playing ? kPause : kPlay);
    }
    if (!this.held) this.slider.value = String(to > from ? 1000 * (time - from) / (to - from) : 1000);
    setText(this.clock, `${time.toFixed(2)} s`);
    setText(this.speed, `×${shortNumber(speed)}`);
  }
}
