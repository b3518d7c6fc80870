// SHA-256 (FIPS 180-4), for pages to which browsers give no crypto.subtle: those served over plain http, as in a classroom.
const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((p) => n % p !== 0)) primes.push(n);
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
const start = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const rounds = primes.map((p) => fraction(Math.cbrt(p)));
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/** The 32 bytes of the digest, as eight whole numbers. */
function digest(bytes) {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const tail = new Uint8Array(128);
  const whole = Math.floor(bytes.length / 64);
  tail.set(bytes.subarray(whole * 64));
  tail[bytes.length - whole * 64] = 0x80;
  const end = new DataView(tail.buffer, 0, (blocks - whole) * 64);
  end.setUint32(end.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  end.setUint32(end.byteLength - 4, bytes.length * 8);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const state = Int32Array.from(start);
  const w = new Int32Array(64);
  for (let block = 0; block < blocks; block += 1) {
    for (let i = 0; i < 16; i += 1) w[i] = block < whole ? view.getInt32(block * 64 + i * 4) : end.getInt32((block - whole) * 64 + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const [early, late] = [w[i - 15], w[i - 2]];
      w[i] = w[i - 16] + w[i - 7] + (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) + (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + w[i]) | 0;
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] += x));
  }
  return state;
}

const hex = (number) => (number >>> 0).toString(16).padStart(8, '0');

/** SHA-256 of the bytes, as 64 hexadecimal digits. */
export const sha256 = (bytes) => Array.from(digest(bytes), hex).join('');

/** The short hash of a model's file: the first 8 hexadecimal digits of its SHA-256. */
export async function shortHash(bytes) {
  if (!globalThis.crypto?.subtle) return sha256(bytes).slice(0, 8);
  const digested = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes), 0, 4);
  return Array.from(digested, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
