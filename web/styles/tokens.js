import { toHex, toLab } from '../draw/oklch.js';

// The single source of the design's variables. A colour is [light, dark], each an OKLCH triple [lightness, chroma, hue],
// with a fourth number where it is partly transparent. Page style, widgets and drawn figures all take theirs from here.
export const colors = {
  // paper and ink
  paper: [[0.98, 0.006, 92], [0.208, 0.01, 225]], // the page
  surface: [[0.994, 0.003, 92], [0.236, 0.011, 225]], // a figure, one sheet lighter than the page
  sunken: [[0.957, 0.007, 92], [0.184, 0.009, 225]], // wells: input fields, tracks
  ink: [[0.245, 0.014, 230], [0.925, 0.008, 92]], // body text
  'ink-2': [[0.43, 0.014, 230], [0.785, 0.01, 92]], // secondary text
  'ink-3': [[0.52, 0.012, 230], [0.69, 0.012, 92]], // quiet labels, still 4.5:1 on all three papers
  rule: [[0.895, 0.008, 92], [0.325, 0.012, 225]], // hairlines that only divide
  'rule-control': [[0.63, 0.012, 230], [0.56, 0.014, 225]], // edges of what can be pressed, 3:1

  // the one accent: the green edge of a sheet of glass
  accent: [[0.46, 0.078, 200], [0.82, 0.092, 192]],
  'accent-hover': [[0.39, 0.068, 202], [0.88, 0.08, 192]],
  'accent-soft': [[0.945, 0.022, 195], [0.3, 0.032, 205]], // tint behind what is chosen
  'accent-line': [[0.78, 0.055, 195], [0.48, 0.055, 200]], // rim of a figure
  'on-accent': [[0.99, 0.004, 92], [0.19, 0.02, 210]],

  // weights 0…1: paper → accent, even steps of lightness; both themes change the number's ink at the same weight
  'ramp-0': [[0.994, 0.003, 92], [0.236, 0.011, 225]],
  'ramp-m': [[0.657, 0.086, 198], [0.481, 0.078, 198]], // weight 0.5, livelier than the straight mixture
  'ramp-1': [[0.342, 0.058, 208], [0.73, 0.104, 190]],
  'cell-ink-lo': [[0.11, 0.008, 230], [1, 0, 0]],
  'cell-ink-hi': [[1, 0, 0], [0.11, 0.008, 230]],
  'cell-zero': [[0.52, 0.012, 230], [0.69, 0.012, 92]], // a number that rounds to 0.00
  hatch: [[0.9, 0.007, 92], [0.315, 0.011, 225]], // masked cell: faint diagonals
  'mask-dot': [[0.6, 0.01, 230], [0.58, 0.012, 225]], // masked cell: the dot

  // signed numbers: blue −, orange +; the sign is always printed too
  neg: [[0.52, 0.125, 255], [0.7, 0.11, 250]],
  pos: [[0.64, 0.135, 55], [0.77, 0.125, 65]],
  'neg-cell': [[0.69, 0.11, 253], [0.52, 0.12, 256]],
  'pos-cell': [[0.755, 0.125, 62], [0.51, 0.11, 52]],
  'neg-ink': [[0.465, 0.125, 256], [0.78, 0.09, 250]],
  'pos-ink': [[0.5, 0.11, 50], [0.83, 0.095, 70]],

  // states
  bad: [[0.5, 0.15, 25], [0.78, 0.115, 25]],
  'bad-soft': [[0.955, 0.018, 25], [0.29, 0.04, 25]],
  good: [[0.47, 0.095, 150], [0.8, 0.11, 152]],
  focus: [[0.48, 0.13, 265], [0.85, 0.11, 95]], // not the accent, so that it shows on it
  select: [[0.245, 0.014, 230], [0.96, 0.006, 92]], // ring of the selected cell: ink, not a hue
  shadow: [[0.3, 0.02, 230, 0.14], [0, 0, 0, 0.5]],
  scrim: [[0.3, 0.02, 230, 0.28], [0, 0, 0, 0.5]],

  // tokens: six tints, light and less light in turn, each with an underline pattern of its own
  'tok-1': [[0.935, 0.032, 243], [0.315, 0.055, 250]],
  'tok-2': [[0.885, 0.075, 80], [0.395, 0.06, 75]],
  'tok-3': [[0.94, 0.04, 165], [0.31, 0.045, 165]],
  'tok-4': [[0.87, 0.06, 340], [0.4, 0.07, 340]],
  'tok-5': [[0.95, 0.055, 105], [0.32, 0.042, 105]],
  'tok-6': [[0.86, 0.055, 275], [0.4, 0.075, 280]],
  'tok-1-line': [[0.52, 0.11, 250], [0.74, 0.1, 248]],
  'tok-2-line': [[0.5, 0.1, 62], [0.82, 0.11, 78]],
  'tok-3-line': [[0.5, 0.09, 165], [0.75, 0.1, 165]],
  'tok-4-line': [[0.48, 0.13, 345], [0.82, 0.09, 342]],
  'tok-5-line': [[0.53, 0.1, 100], [0.79, 0.12, 105]],
  'tok-6-line': [[0.45, 0.13, 280], [0.82, 0.08, 282]],
};

// Lengths are multiples of --rem: on a page of ours 1rem, inside a widget never below 16 px, since many pages shrink their root.
const lengths = {
  't-cell': 0.71875, // numbers inside cells, the only size below 12 px
  't-xs': 0.75,
  't-sm': 0.8125,
  't-ui': 0.9375,
  't-h3': 1.1875,
  's-1': 0.25,
  's-2': 0.5,
  's-3': 0.75,
  's-4': 1,
  's-5': 1.5,
  's-6': 2,
  's-7': 3,
  's-8': 4,
  's-9': 6,
  touch: 2.75, // 44 px, the smallest thing to press
  measure: 42,
  wide: 64,
};

const plain = {
  'font-text':
    '-apple-system, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", "Source Han Sans SC", "Noto Sans SC", "Microsoft YaHei", sans-serif',
  'font-display':
    '"Songti SC", "Noto Serif CJK SC", "Source Han Serif SC", "Noto Serif SC", "PingFang SC", "Microsoft YaHei", serif',
  'font-math': '"STIX Two Text", "Cambria", "Times New Roman", "Noto Serif CJK SC", serif',
  'font-mono': 'ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono CJK SC", "DejaVu Sans Mono", monospace',
  'lh-body': '1.8',
  'lh-ui': '1.45',
  'lh-head': '1.35',
  'r-1': '2px',
  'r-2': '6px',
  'r-3': '10px',
  ring: '2px',
  fast: '150ms',
  slow: '220ms',
  ease: 'cubic-bezier(0.2, 0, 0.1, 1)',
  dim: '0.9', // opacity while numbers are being recomputed
};

const pageOnly = {
  't-body': '1.0625rem',
  't-h2': 'clamp(1.4375rem, 1.3rem + 0.6vw, 1.6875rem)',
  't-h1': 'clamp(1.8125rem, 1.35rem + 2vw, 2.625rem)',
  't-quote': 'clamp(1.25rem, 1.1rem + 0.6vw, 1.5rem)',
  gutter: '1.25rem',
};

function css([lightness, chroma, hue, alpha]) {
  const hex = toHex(toLab([lightness, chroma, hue]));
  return alpha === undefined ? hex : hex + Math.round(alpha * 255).toString(16).padStart(2, '0');
}

const declare = (entries) => entries.map(([name, value]) => `--${name}: ${value};`).join(' ');
const oneTheme = (side) => declare(Object.entries(colors).map(([name, pair]) => [name, css(pair[side])]));
const bothThemes = declare(
  Object.entries(colors).map(([name, [light, dark]]) => [name, `light-dark(${css(light)}, ${css(dark)})`]),
);
const scales = declare([
  ...Object.entries(lengths).map(([name, n]) => [name, `calc(${n} * var(--rem))`]),
  ...Object.entries(plain),
]);

/**
 * The variables for a page, as CSS text: on `:root`, themed by `color-scheme`; `data-theme` on any element themes what is in it.
 * A browser without light-dark() gets the light colours, and the dark ones inside `data-theme="dark"`.
 */
export const tokensCss = `:root { color-scheme: light dark; --rem: 1rem; ${scales} ${declare(Object.entries(pageOnly))} }
:root, [data-theme="light"] { ${oneTheme(0)} }
[data-theme="dark"] { ${oneTheme(1)} }
@supports (color: light-dark(red, red)) { :root, [data-theme] { ${bothThemes} } }
[data-theme="light"] { color-scheme: light; }
[data-theme="dark"] { color-scheme: dark; }
@media (prefers-reduced-motion: reduce) { :root { --fast: 0ms; --slow: 0ms; } }
`;

/**
 * The same variables for a shadow root, as CSS text. The scheme is inherited from the page, so that a widget follows its
 * surroundings; the attribute `theme="light"` or `theme="dark"` on the element overrides it.
 */
export const hostTokensCss = `:host { --rem: max(16px, 1rem); ${scales} ${oneTheme(0)} }
:host([theme="dark"]) { ${oneTheme(1)} }
@supports (color: light-dark(red, red)) { :host, :host([theme]) { ${bothThemes} } }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
@media (prefers-reduced-motion: reduce) { :host { --fast: 0ms; --slow: 0ms; } }
`;
