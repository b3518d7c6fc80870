import { color } from '../draw/color.js';

function toHex(rgb) {
  const parts = /(\d+)[ ,]+(\d+)[ ,]+(\d+)/.exec(rgb);
  return parts ? `#${parts.slice(1).map((x) => Number(x).toString(16).padStart(2, '0')).join('')}` : '';
}

/** The theme in force at an element with the class `probe`, whose colour is the ramp's paper: "light" or "dark". */
export const themeAt = (probe) => (toHex(getComputedStyle(probe).color) === color('ramp-0', 'dark') ? 'dark' : 'light');
