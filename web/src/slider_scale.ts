// Where a value stands on a slider. A load from 1 kg to 1000 t needs a logarithmic one: on a linear slider all that is
// below 10 t would be one pixel.
import {type Parameter} from './protocol';

export interface SliderScale {
  lowest: number;
  highest: number;
  logarithmic: boolean;
  whole: boolean;  // counts only
}

// Logarithmic from two decades on, if all of the range is above zero.
export function makeScale(lowest: number, highest: number, whole = false): SliderScale {
  return {lowest, highest, whole, logarithmic: lowest > 0 && highest / lowest >= 100};
}

// The scale of a parameter that is a number, with bounds made up around its value where it states none.
// Null where there is nothing to slide: text, or a range without width.
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

  // a count has no unit and whole numbers wherever one looks
  const whole = parameter.unit === '' &&
      [value, parameter.lowest, parameter.highest].every(x => x !== null && Number.isInteger(x)) &&
      highest - lowest >= 2;
  // Zero has no place on a logarithmic scale: where the value is far below the end, slide from a thousandth of it. Zero
  // itself can still be typed.
  if (lowest === 0 && value > 0 && highest / value >= 100) lowest = value / 1000;
  return makeScale(lowest, highest, whole);
}

// 0 … 1 along the slider.
export function positionOf(scale: SliderScale, value: number): number {
  const {lowest, highest, logarithmic} = scale;
  const share = logarithmic ? Math.log(Math.max(value, lowest) / lowest) / Math.log(highest / lowest) :
                              (value - lowest) / (highest - lowest);
  return Math.min(1, Math.max(0, share));
}

// The value at a position, rounded to three digits: nobody means 14 967.3 kg. The ends are the ends.
export function valueAt(scale: SliderScale, position: number): number {
  const {lowest, highest, logarithmic, whole} = scale;
  if (position <= 0) return lowest;
  if (position >= 1) return highest;
  const exact = logarithmic ? lowest * (highest / lowest) ** position : lowest + position * (highest - lowest);
  const rounded = whole ? Math.round(exact) : roundTo(exact, logarithmic ? Math.abs(exact) : highest - lowest);
  return Math.min(highest, Math.max(lowest, rounded));
}

// Three digits of `measure`.
function roundTo(value: number, measure: number): number {
  if (!(measure > 0)) return value;
  const decimals = 2 - Math.floor(Math.log10(measure));
  return decimals >= 0 ? Number(value.toFixed(Math.min(20, decimals))) :
                         Math.round(value * 10 ** decimals) / 10 ** decimals;
}
