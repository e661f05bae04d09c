// The card at the top left: the scene, and a line with the state of the stream.
import {el, setText} from './dom';
import {shortNumber, withUnit} from './numbers';
import {type Scene, type Status} from './protocol';

export class TitleCard {
  private readonly heading = el('h1');
  private readonly list = el('select', {id: 'scenes', title: 'select a scene', 'aria-label': 'scene'});
  private readonly line = el('div', {id: 'line', class: 'line'});
  private readonly own = el('option');
  private names = '';

  constructor(parent: HTMLElement, change: (name: string) => void) {
    this.list.addEventListener('change', () => {
      change(this.list.value);
      this.list.blur();
    });
    parent.append(this.heading, this.list, this.line);
  }

  show(scene: Scene): void {
    setText(this.heading, scene.title || scene.name);
    document.title = `${scene.name} – Taut`;
    const names = JSON.stringify(scene.scenes ?? []);
    if (names !== this.names) {
      this.names = names;
      this.list.replaceChildren(
          ...(scene.scenes ?? []).map(({name, title}) => el('option', {value: name, title}, name)));
    }
    this.list.hidden = (scene.scenes ?? []).length === 0;
    // shipped scenes are listed with their folder; files of the user are not in the list
    const listed = [...this.list.options].find(({value}) => value === scene.name || value.endsWith(`/${scene.name}`));
    this.own.value = scene.name;
    setText(this.own, scene.file || scene.name);
    if (listed)
      this.own.remove();
    else
      this.list.prepend(this.own);
    this.list.value = listed?.value ?? scene.name;
  }

  showLive(rate: number, status: Status|null): void {
    const slow = status?.pace !== undefined && !status.paused && status.pace < 0.95 * status.speed ?
        `slowed to ×${shortNumber(status.pace, 2)} real time` :
        '';
    const late = status?.lateness ?
        `steps late by ${withUnit(status.lateness.p50, 's')}, max. ${withUnit(status.lateness.worst, 's')}` :
        '';
    setText(this.line, [`${rate.toFixed(0)} frames/s`, slow, late].filter(Boolean).join(' · '));
  }

  showReplay(count: number, seconds: number): void {
    setText(this.line, `recording of ${seconds.toFixed(1)} s, ${count} frames`);
  }
}
