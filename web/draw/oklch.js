// OKLCH → OKLab → linear sRGB → gamma-coded sRGB, after Björn Ottosson, "A perceptual color space for image processing" (2020).

/** OKLCH [lightness 0…1, chroma, hue in degrees] → OKLab [L, a, b]. */
export function toLab([lightness, chroma, hue]) {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

/** OKLab → linear-light sRGB, each channel clipped to 0…1. */
export function toLinear([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((x) => Math.min(1, Math.max(0, x)));
}

/** OKLab → [red, green, blue], whole numbers 0…255. */
export function toRgb(lab) {
  return toLinear(lab).map((x) => Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055)));
}

/** OKLab → `#rrggbb`. */
export function toHex(lab) {
  return `#${toRgb(lab).map((x) => x.toString(16).padStart(2, '0')).join('')}`;
}

/** Mixes two OKLab colours: `t` = 0 gives `from`, 1 gives `to`. */
export function mix(from, to, t) {
  return from.map((x, i) => x + (to[i] - x) * t);
}
