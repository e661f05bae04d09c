// Mapping between values and slider positions. A mass from 1 kg to 1000 t needs a logarithmic scale: on a linear slider
// all values below 10 t would be one pixel.
import {type Parameter} from './protocol';

export interface SliderScale {
  lowest: number;
  highest: number;
  logarithmic: boolean;
  whole: boolean;  // integers only
}

// Logarithmic if the range is positive and spans at least two decades.
export function makeScale(lowest: number, highest: number, whole = false): SliderScale {
  return {lowest, highest, whole, logarithmic: lowest > 0 && highest / lowest >= 100};
}

// The scale of a numeric parameter; missing bounds are chosen around its value.
// Null for text parameters and empty ranges.
export function scaleOf(parameter: Parameter): SliderScale|null {
  const value = Number(parameter.value);
  if (parameter.choices.length > 0 || parameter.value.trim() === '' || !Number.isFinite(value)) return null;
  let {lowest, highest} = parameter;

  if (highest === null && lowest !== null && lowest >= 0)
    highest = value > 0 ? Math.max(value, lowest) * 1000 : Math.max(1, lowest * 10);
  if (lowest === null && highest !== null && highest <= 0) lowest = value < 0 ? value * 1000 : -1;
  const reach = value === 0 ? 1 : 10 ** Math.ceil(Math.log10(Math.abs(value) * 2));
  lowest ??= Math.min(-reach, highest === null ? -reach : highest - 2 * reach);
  highest ??= Math.max(reach, lowest + 2 * reach);
  if (!(highest > lowest)) return null;

  // integer parameter: no unit, and value and bounds are whole numbers
  const whole = parameter.unit === '' &&
      [value, parameter.lowest, parameter.highest].every(x => x !== null && Number.isInteger(x)) &&
      highest - lowest >= 2;
  // Zero does not exist on a logarithmic scale: if the value is far below the upper end, the scale starts at a thousandth
  // of it. Zero can still be typed.
  if (lowest === 0 && value > 0 && highest / value >= 100) lowest = value / 1000;
  return makeScale(lowest, highest, whole);
}

// Position on the slider, 0 … 1.
export function positionOf(scale: SliderScale, value: number): number {
  const {lowest, highest, logarithmic} = scale;
  const share = logarithmic ? Math.log(Math.max(value, lowest) / lowest) / Math.log(highest / lowest) :
                              (value - lowest) / (highest - lowest);
  return Math.min(1, Math.max(0, share));
}

// The value at a position, rounded to three digits, except at the ends.
export function valueAt(scale: SliderScale, position: number): number {
  const {lowest, highest, logarithmic, whole} = scale;
  if (position <= 0) return lowest;
  if (position >= 1) return highest;
  const exact = logarithmic ? lowest * (highest / lowest) ** position : lowest + position * (highest - lowest);
  const rounded = whole ? Math.round(exact) : roundTo(exact, logarithmic ? Math.abs(exact) : highest - lowest);
  return Math.min(highest, Math.max(lowest, rounded));
}

// Rounds to three digits of `measure`.
function roundTo(value: number, measure: number): number {
  if (!(measure > 0)) return value;
  const decimals = 2 - Math.floor(Math.log10(measure));
  return decimals >= 0 ? Number(value.toFixed(Math.min(20, decimals))) :
                         Math.round(value * 10 ** decimals) / 10 ** decimals;
}
