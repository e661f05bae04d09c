// Formatting of numbers with unit prefixes, and parsing of user input.

const kPrefixes: [number, string][] =
    [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p']];
const kPrefixable = new Set(['N', 'J', 'W', 'm', 's', 'N m', 'Pa', 'Hz', 'V', 'm/s']);

// Three significant digits (or `digits`) without trailing zeros: 1470, 0.0167, 1.2e-9.
export function shortNumber(value: number, digits = 3): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e') :
      size >= 10 ** digits                ? value.toFixed(0) :
                                            trimZeros(value.toPrecision(digits));
  return text.replace('-', '−').replace('e-', 'e−');
}

function trimZeros(text: string): string { return text.includes('.') ? text.replace(/\.?0+$/, '') : text; }

// 147150 N is shown as 147 kN; 1000 kg and more as tonnes; other units get no prefix. The prefix is that of `measure`.
export function withUnit(value: number, unit: string, digits = 3, measure = value): string {
  if (unit === '' || unit === '-') return shortNumber(value, digits);
  if (!Number.isFinite(value)) return `${shortNumber(value)} ${unit}`;
  if (unit === 'kg' && Math.abs(measure) >= 1000) return `${shortNumber(value / 1000, digits)} t`;
  if (measure === 0 || !kPrefixable.has(unit)) return `${shortNumber(value, digits)} ${unit}`;
  const [factor, prefix] = kPrefixes.find(([f]) => Math.abs(measure) >= f * 0.9995) ?? [1, ''];
  // no kilometres, kiloseconds or kilometres per second
  if ((unit === 'm' || unit === 's' || unit === 'm/s') && factor > 1) return `${shortNumber(value, digits)} ${unit}`;
  return `${shortNumber(value / factor, digits)} ${prefix}${unit}`;
}

// Parses "12", "1e-3", "1/60", "1,5"; NaN otherwise. Formulas are evaluated by the engine.
export function parseNumber(text: string): number {
  const clean = text.trim().replace('−', '-').replace(/^(-?\d+),(\d+)$/, '$1.$2');
  const parts = clean.split('/');
  if (clean === '' || parts.length > 2 || parts.some(part => part.trim() === '')) return NaN;
  const [a, b] = parts.map(Number);
  return b === undefined ? a! : a! / b;
}

// A step size as a fraction if possible: 1/60 s instead of 0.016667.
export function stepText(dt: number): string {
  const inverse = 1 / dt;
  const whole = Math.round(inverse);
  return whole > 1 && Math.abs(inverse - whole) < 1e-6 * inverse ? `1/${whole}` : shortNumber(dt, 4);
}

const kFactors: Record<string, number> = {
  G: 1e9,
  M: 1e6,
  k: 1e3,
  m: 1e-3,
  'µ': 1e-6,
  u: 1e-6,
  n: 1e-9
};

// User input of a field without its unit: "20 t" is 20000 in kg.
export function stripUnit(text: string, unit: string): string {
  const plain = text.replace('−', '-');
  const found = /^(-?[\d.]+(?:e[-+]?\d+)?)\s*(\D+)$/i.exec(plain);
  if (!found || unit === '') return plain;
  const [, number, word] = found as unknown as [string, string, string];
  if (word === unit) return number;
  if (unit === 'kg' && word === 't') return String(Number(number) * 1000);
  const factor = word.endsWith(unit) ? kFactors[word.slice(0, -unit.length)] : undefined;
  return factor === undefined ? plain : String(Number((Number(number) * factor).toPrecision(12)));
}
