// Interface of the time bar and the keys to a live engine or a recording.
export interface Player {
  readonly live: boolean;
  readonly playing: boolean;
  readonly speed: number;            // relative to real time
  readonly time: number;             // [s]
  readonly range: [number, number];  // available times [s]
  play(): void;
  pause(): void;
  step(by: 1|- 1): void;
  reset(): void;
  setSpeed(times: number): void;
  seek(time: number): void;
}

// The speeds that are selected by + and −.
const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export function nextSpeed(speed: number, by: 1|- 1): number {
  const beyond = by > 0 ? kSpeeds.find(s => s > speed * 1.001) : [...kSpeeds].reverse().find(s => s < speed * 0.999);
  return beyond ?? speed;
}
