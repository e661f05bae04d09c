// Plays a recording that is embedded in the page, without engine or network.
import {blend, indexAt} from './poses';
import {checkScene, decodeFrames, type Frame, type Scene} from './protocol';
import {type Player} from './player';

export interface Recording {
  scene: Scene;
  frames: Frame[];
  failure: string|null;  // reason if the run was aborted
}

// The recording of the page; null if the page is live.
export function findRecording(page: Document): Recording|null {
  const [scene, frames] = ['taut-scene', 'taut-frames'].map(id => page.getElementById(id)?.textContent);
  if (scene == null || frames == null) return null;
  const end = page.getElementById('taut-end')?.textContent;
  const recording = {
    scene: checkScene(JSON.parse(scene) as Scene),
    frames: decodeFrames(fromBase64(frames)),
    failure: end == null ? null : String((JSON.parse(end) as {failure: unknown}).failure),
  };
  if (recording.frames.length === 0) throw new Error('the recording has no frames');
  return recording;
}

export function fromBase64(text: string): ArrayBuffer {
  const raw = atob(text.replace(/\s+/g, ''));
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

export class Replay implements Player {
  readonly live = false;
  readonly times: Float64Array;
  playing = false;
  speed = 1;
  time: number;

  constructor(readonly recording: Recording, private readonly show: (frame: Frame, before: Frame|null) => void) {
    this.times = Float64Array.from(recording.frames, frame => frame.time);
    this.time = this.times[0]!;
  }

  get range(): [number, number] { return [this.times[0]!, this.times[this.times.length - 1]!]; }

  play(): void {
    if (this.time >= this.range[1]) this.time = this.range[0];
    this.playing = true;
  }

  pause(): void { this.playing = false; }

  reset(): void { this.seek(this.range[0]); }

  setSpeed(times: number): void { this.speed = times; }

  step(by: 1|- 1): void {
    this.playing = false;
    const at = indexAt(this.times, this.time);
    // between two frames, a step back goes to the earlier one
    const next = by < 0 && this.time > this.times[at]!? at : at + by;
    this.seek(this.times[Math.min(this.times.length - 1, Math.max(0, next))]!);
  }

  // Shows a time, interpolated between two frames, so that slow motion is smooth.
  seek(time: number): void {
    const [first, last] = this.range;
    this.time = Math.min(last, Math.max(first, time));
    const {frames} = this.recording;
    const at = indexAt(this.times, this.time);
    const [a, b] = [frames[at]!, frames[Math.min(at + 1, frames.length - 1)]!];
    const between = this.time > a.time && b.time > a.time;
    this.show(
        between ? blend(a, b, (this.time - a.time) / (b.time - a.time)) : a, between ? a : frames[at - 1] ?? null);
  }

  // Advances the time by `dt` [s].
  advance(dt: number): void {
    if (!this.playing) return;
    this.seek(this.time + this.speed * dt);
    if (this.time >= this.range[1]) this.playing = false;
  }
}
