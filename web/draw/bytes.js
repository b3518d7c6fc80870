import { formatNumber } from './number.js';

/** A number of bytes with its unit, 1 KB being 1,000. */
export function formatBytes(bytes) {
  const [size, unit] = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'KB']].find(([size]) => bytes >= size) ?? [1, 'B'];
  return `${formatNumber(bytes / size)} ${unit}`;
}
