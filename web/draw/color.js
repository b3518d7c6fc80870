import { colors } from '../styles/tokens.js';
import { mix, toHex, toLab, toRgb } from './oklch.js';

const side = (theme) => (theme === 'dark' ? 1 : 0);
const lab = (name, theme) => toLab(colors[name][side(theme)]);

/** From this weight on the number in a cell takes the other ink, the same in both themes. */
export const inkFlip = 0.655;

/** The colour `name` of the design's table as `#rrggbb`. Throws on a name that the table lacks. */
export function color(name, theme = 'light') {
  if (!colors[name]) throw new Error(`no colour named ${name}`);
  return toHex(lab(name, theme));
}

function weightLab(weight, theme) {
  const w = Math.min(1, Math.max(0, weight || 0));
  return w < 0.5
    ? mix(lab('ramp-0', theme), lab('ramp-m', theme), w * 2)
    : mix(lab('ramp-m', theme), lab('ramp-1', theme), w * 2 - 1);
}

/** A weight 0…1 on the ramp from paper to accent, as `#rrggbb`: the same mixture as the page's CSS makes. */
export function weightColor(weight, theme = 'light') {
  return toHex(weightLab(weight, theme));
}

/** The same as [red, green, blue], 0…255, for pixels. */
export function weightRgb(weight, theme = 'light') {
  return toRgb(weightLab(weight, theme));
}

/** Equal for weights that have the same colours in both themes: the drawings of both then group their cells alike. */
export const weightShade = (weight) => weightColor(weight, 'light') + weightColor(weight, 'dark');

/** The ink that can be read on `weightColor(weight)`. */
export function weightInk(weight, theme = 'light') {
  return color(weight >= inkFlip ? 'cell-ink-hi' : 'cell-ink-lo', theme);
}
