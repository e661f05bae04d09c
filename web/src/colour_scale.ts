// The colour map Viridis: perceptually uniform and safe for colour blindness.
//
// Linear interpolation of eleven points of the published map is accurate to 1 %.

export type Rgb = [number, number, number];  // 0 … 1, sRGB

const kPoints: Rgb[] = [
  '440154', '482475', '414487', '355f8d', '2a788e', '21918c', '22a884', '44bf70', '7ad151', 'bddf26', 'fde725'
].map(hex => [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16) / 255) as Rgb);

// The colour of a fraction of the range, clamped to [0, 1]; grey for NaN.
export function colourAt(share: number): Rgb {
  if (Number.isNaN(share)) return [0.6, 0.6, 0.6];
  const x = Math.min(1, Math.max(0, share)) * (kPoints.length - 1);
  const i = Math.min(Math.floor(x), kPoints.length - 2);
  const [a, b] = [kPoints[i]!, kPoints[i + 1]!];
  return [0, 1, 2].map(k => a[k]! + (x - i) * (b[k]! - a[k]!)) as Rgb;
}

export function cssGradient(): string {
  const stops = kPoints.map(p => `rgb(${p.map(c => Math.round(255 * c)).join(' ')})`);
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

// The upper end of a range that follows the largest value: it rises immediately and decays with a time constant [s], so
// that colours do not flicker. A locked range is constant.
export class ForceRange {
  top = 0;
  locked = false;
  constructor(private readonly fade = 4) {}

  follow(largest: number, dt: number): void {
    if (this.locked || !Number.isFinite(largest)) return;
    this.top = largest >= this.top ? largest : largest + (this.top - largest) * Math.exp(-Math.max(0, dt) / this.fade);
  }

  share(value: number): number { return this.top > 0 ? value / this.top : 0; }
}
