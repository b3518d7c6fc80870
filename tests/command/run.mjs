// What the tests of the commands share: where things are, and running a program to its end.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const glassbox = resolve(root, process.env.GLASSBOX || 'build/native/glassbox');
export const goldenData = join(root, 'tests/golden/data');

/** Runs a program → {code, out, err}. input: text or bytes for its standard input. */
export function run(program, args, { input = '', env = {} } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { env: { ...process.env, ...env } });
    const out = [];
    const err = [];
    child.stdout.on('data', (piece) => out.push(piece));
    child.stderr.on('data', (piece) => err.push(piece));
    child.on('error', fail);
    child.on('close', (code) => done({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }));
    child.stdin.on('error', () => {}); // a program that refuses its arguments does not read
    child.stdin.end(input);
  });
}

/** Runs the command with --json and reads what it prints; throws what it says when it fails. */
export async function json(...args) {
  const result = await run(glassbox, [...args, '--json']);
  if (result.code !== 0) throw new Error(`${args.join(' ')}: exit ${result.code}: ${result.err}`);
  return JSON.parse(result.out);
}

/** The F32 tensors and the metadata of a safetensors file. */
export async function readSafetensors(path) {
  const file = await readFile(path);
  const length = Number(file.readBigUInt64LE(0));
  const { __metadata__: metadata, ...entries } = JSON.parse(file.subarray(8, 8 + length).toString());
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: [begin, end] }] of Object.entries(entries)) {
    if (dtype !== 'F32') throw new Error(`${name}: expected F32, got ${dtype}`);
    tensors[name] = { shape, data: new Float32Array(file.buffer.slice(file.byteOffset + 8 + length + begin, file.byteOffset + 8 + length + end)) };
  }
  return { metadata, tensors };
}
