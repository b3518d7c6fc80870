// Measures the engine's training beside PyTorch's: same shape, same batch, same machine, same minutes, taking turns.
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importPackage } from './packages.mjs';
import { serve } from './serve.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const python = process.env.PYTHON || '/usr/bin/python3';
const stepTokens = 2048;
const usage = `usage: tools/bench train [--json] [--rounds 7] [--steps 2]
  Tokens a second of training a model of the built-in one's shape (4 layers, width 128, vocabulary 2,560, context 256;
  ${stepTokens.toLocaleString('en')} tokens a step): this engine natively and in Chromium, and PyTorch. After a warm-up of one round, each of the rounds
  takes some steps of each contender in turn. Figures are to compare within one run. The tab runs on one thread.`;

function parse(words) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      rounds: { type: 'string', default: '7' },
      steps: { type: 'string', default: '2' },
      help: { type: 'boolean' },
    },
  });
  if (!values.help && (positionals.length !== 1 || positionals[0] !== 'train')) throw new Error(`expected "train", got "${positionals.join(' ')}"`);
  for (const name of ['rounds', 'steps']) {
    if (!/^[1-9]\d{0,3}$/.test(values[name])) throw new Error(`--${name}: expected a whole number from 1, got ${values[name]}`);
    values[name] = Number(values[name]);
  }
  return values;
}

/** A program that answers each line "threads steps" with the seconds taken. → { run(steps) → seconds, close() } */
function openProgram(command, words, threads, environment = {}) {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...environment } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const failed = new Promise((_, reject) => {
    child.on('error', (error) => reject(new Error(`${command}: ${error.message}`)));
    child.on('exit', (code) => reject(new Error(`${command} ${words.join(' ')} ended with ${code}`)));
  });
  failed.catch(() => {}); // it ends without fault when it is closed
  return {
    async run(steps) {
      child.stdin.write(`${threads} ${steps}\n`);
      const { value } = await Promise.race([lines.next(), failed]);
      return Number(value.split(' ')[0]);
    },
    close: async () => child.kill(),
  };
}

/** The wasm build in a page of Chromium. */
async function openTab() {
  const { default: puppeteer } = await importPackage('puppeteer-core');
  const site = await serve({ folder: join(root, 'build/wasm'), port: 0 });
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    protocolTimeout: 600_000,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const close = async () => {
    await browser.close();
    await site.close();
  };
  try {
    const page = await browser.newPage();
    await page.goto(new URL('bench_train.mjs', site.url).href); // any page of that origin may import from it
    await page.evaluate(async (address) => {
      const { default: create } = await import(address);
      globalThis.bench = await create();
    }, new URL('bench_train.mjs', site.url).href);
    const run = (steps) =>
      page.evaluate((count) => {
        const begin = performance.now();
        globalThis.bench._bench_steps(count);
        return (performance.now() - begin) / 1000;
      }, steps);
    return { run, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openPyTorch(threads) {
  return openProgram(python, [join(root, 'tools/bench-train.py')], threads, { OMP_NUM_THREADS: `${threads}`, OPENBLAS_NUM_THREADS: `${threads}` });
}

/** PyTorch's version; fails with what to install when it is missing. */
function pyTorchVersion() {
  const { status, stdout } = spawnSync(python, ['-c', 'import torch; print(torch.__version__)'], { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${python} has no PyTorch: apt-get install python3-torch python3-numpy libopenblas0-pthread, or name another Python as PYTHON`);
  }
  return stdout.trim();
}

const median = (sorted) => (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;

async function benchTraining({ rounds, steps }) {
  const version = pyTorchVersion();
  const native = join(root, 'build/native/bench_train');
  const contenders = [
    { name: 'Glassbox, native, 1 thread', kind: 'native', open: () => openProgram(native, [], 1) },
    { name: `PyTorch ${version}, 1 thread`, kind: 'pytorch', open: () => openPyTorch(1) },
    { name: 'Glassbox, native, 2 threads', kind: 'native', open: () => openProgram(native, [], 2) },
    { name: `PyTorch ${version}, 2 threads`, kind: 'pytorch', open: () => openPyTorch(2) },
    { name: 'Glassbox, Chromium, 1 thread', kind: 'tab', open: openTab },
  ];
  try {
    for (const contender of contenders) {
      contender.rates = [];
      contender.opened = await contender.open();
    }
    for (let round = 0; round <= rounds; ++round) {
      for (const { rates, opened } of contenders) {
        const seconds = await opened.run(steps);
        if (round > 0) rates.push((steps * stepTokens) / seconds);
      }
    }
  } finally {
    for (const { opened } of contenders) await opened?.close();
  }
  const results = contenders.map(({ name, kind, rates }) => {
    rates.sort((a, b) => a - b);
    return { name, kind, median: median(rates), lowest: rates[0], highest: rates.at(-1) };
  });
  const best = (kind) => Math.max(...results.filter((result) => result.kind === kind).map((result) => result.median));
  return {
    tokens_per_step: stepTokens,
    rounds,
    native_ratio: best('native') / best('pytorch'),
    tab_ratio: best('tab') / best('pytorch'),
    tokens_per_second: Object.fromEntries(results.map(({ name, kind, ...figures }) => [name, figures])),
  };
}

function print({ tokens_per_second: rates, native_ratio: native, tab_ratio: tab, rounds }) {
  const whole = (value) => Math.round(value).toLocaleString('en').padStart(8);
  console.log(`tokens a second, ${rounds} rounds${' '.repeat(12)}median   lowest  highest`);
  for (const [name, { median: middle, lowest, highest }] of Object.entries(rates)) console.log(name.padEnd(34) + whole(middle) + whole(lowest) + whole(highest));
  console.log(`Best of both thread counts over PyTorch's best: native ${native.toFixed(2)}, tab ${tab.toFixed(2)}`);
}

try {
  const options = parse(process.argv.slice(2));
  if (options.help) {
    console.log(usage);
  } else {
    const report = await benchTraining(options);
    if (options.json) console.log(JSON.stringify(report, null, 2));
    else print(report);
  }
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
