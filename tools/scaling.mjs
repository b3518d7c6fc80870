// Trains a family of sizes on the same number of tokens, one size on less and less different text, and a few shallow ones, by `glassbox train`; measures
// each by `glassbox loss` on the same documents, set apart from all training; fits power laws; writes it all down.
//
// Each run has a folder of its own, named by its settings, with the training and `run.json` once it is measured. Whatever is killed, the same call goes
// on: runs that are measured are not done again, a training goes on from its checkpoint.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { corpusBytes, corpusSeed } from './builtin-corpus/corpus.mjs';
import { singleTokens } from './builtin-corpus/lexicon.mjs';
import { countCorpus } from './builtin-corpus/statistics.mjs';
import { costOf, fitFamily, fullPlan, heldOutFamily, nonEmbedding, partsOf, remarksOn, runsOf, smokePlan } from './scaling-plan.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const usage = `usage: tools/scaling [--out web/site/scaling.json] [--work build/scaling] [--threads 2] [--smoke] [--fit]
  --smoke  a tiny family in seconds, for tests; names its own --out and --work
  --fit    trains nothing: fits the runs of the file anew and prints the lines`;

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Either the old or the new file is there whole, whenever this process ends. */
async function replaceFile(file, content) {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

// ── running the command

let child = null; // the one at work
let endAsked = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (endAsked) process.exit(1); // who asks twice means it
    endAsked = true;
    child?.kill('SIGTERM'); // it saves what it has and ends
  });
}

class Ended extends Error {}

/** Runs `glassbox WORDS…` to its end → what it printed. onLine(line) is called for each line on the way. */
async function glassbox(words, onLine = () => {}) {
  if (endAsked) throw new Ended();
  child = spawn(process.env.GLASSBOX, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let err = '';
  child.stderr.on('data', (piece) => (err += piece));
  const lines = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    onLine(line);
  });
  const code = await new Promise((done, fail) => {
    child.on('error', () => fail(new Error(`can't start ${process.env.GLASSBOX}`)));
    child.on('close', done);
  });
  child = null;
  if (endAsked) throw new Ended();
  if (code !== 0) throw new Error(`glassbox ${words[0]}: ${err.trim() || `ended with ${code}`}`);
  return lines;
}

// ── texts

/** The held-out documents of one family. */
const familyFile = (folder, family) => join(folder, `held-out-${family.replaceAll(' ', '-')}.jsonl`);

/**
 * Writes the texts of a plan into a folder: texts.jsonl (all documents, filed by the parts of the plan instead of their families), held-out.jsonl (the
 * documents that everything is measured on), part-N.jsonl (what a limited run learns from, to be counted) and lexicon.txt.
 * → what is to be known of them.
 */
async function prepareTexts(plan, folder) {
  const factsFile = join(folder, 'facts.json');
  const key = sha256(JSON.stringify([plan.corpusBytes, plan.limited, plan.heldOutDocuments, corpusSeed]));
  await mkdir(folder, { recursive: true });
  // Drawn anew each time, because another version of the generators is another corpus.
  const pieces = [];
  const { sha256: hash } = countCorpus(corpusSeed, plan.corpusBytes ?? corpusBytes, (piece) => pieces.push(piece));
  const kept = existsSync(factsFile) ? await readJson(factsFile) : null;
  if (kept?.key === key && kept.corpus.sha256 === hash) return kept;
  const file = pieces.join('');
  const lines = file.trimEnd().split('\n');
  const texts = lines.map((line) => JSON.stringify(JSON.parse(line).text));
  // As the trainer sets them apart, but that it counts a long text as several; the documents that are measured are fewer, so that none was learned.
  const learned = texts.length - Math.floor(texts.length * 0.02);
  const parts = partsOf(plan, learned);
  const put = (name, from, to, familyOf) => {
    const documents = texts.slice(from, to).map((text, i) => `{"family":"${familyOf(from + i)}","text":${text}}\n`);
    return replaceFile(join(folder, name), documents.join(''));
  };
  const familyOf = (i) => parts.find((part) => i < part.end)?.family ?? heldOutFamily;
  await put('texts.jsonl', 0, texts.length, familyOf);
  await put('held-out.jsonl', texts.length - plan.heldOutDocuments, texts.length, familyOf);
  await put('apart.jsonl', learned, texts.length, familyOf);
  for (const { share, end } of parts) if (share > 1) await put(`part-${share}.jsonl`, 0, end, familyOf);
  await replaceFile(join(folder, 'lexicon.txt'), plan.lexicon ? singleTokens.map((word) => `${word}\n`).join('') : '');
  const known = new Set(texts.slice(0, learned));
  const families = new Map();
  for (const line of lines.slice(-plan.heldOutDocuments)) {
    const { family } = JSON.parse(line);
    families.set(family, `${families.get(family) ?? ''}${line}\n`);
  }
  for (const [family, documents] of families) await replaceFile(familyFile(folder, family), documents);
  const facts = {
    key,
    corpus: { sha256: hash, bytes: Buffer.byteLength(file), documents: texts.length, different: new Set(texts).size, seed: corpusSeed },
    families: [...families.keys()],
    heldOutKnown: texts.slice(-plan.heldOutDocuments).filter((text) => known.has(text)).length,
  };
  await replaceFile(factsFile, JSON.stringify(facts));
  return facts;
}

/** The tokens of a file of documents, each with the one that closes it. */
async function countTokens(file, model) {
  const [line] = await glassbox(['bigrams', '--corpus', file, '--model', model, '--out', join(model, 'bigrams.bin')]);
  const pairs = /of (\d+) in all$/.exec(line);
  if (!pairs) throw new Error(`glassbox bigrams: no count in "${line}"`);
  return Number(pairs[1]) + 1;
}

// ── runs

/** How long it will take: the speed so far, in multiply-adds for a token times tokens. */
class Progress {
  #begin = performance.now();
  #done = 0;
  #left;
  #last = -Infinity;

  constructor(left) {
    this.#left = left;
  }

  /** work: so much of it has been done, since this began, by the run at work. */
  show(text, work, always = false) {
    const now = performance.now();
    if (!always && now - this.#last < 5000) return;
    this.#last = now;
    const done = this.#done + work;
    const seconds = ((now - this.#begin) / 1000 / done) * (this.#left - done);
    const left = done > 0 ? `, all done in ${seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`}` : '';
    console.log(`${text}${left}`);
  }

  add(work) {
    this.#done += work;
  }
}

/** Trains until the command has done all its steps. A command of a process that was killed may still hold the folder for a line or two. */
async function train(words, onLine) {
  for (const end = Date.now() + 120000; ;) {
    try {
      return await glassbox(words, onLine);
    } catch (error) {
      if (!/another training is at work/.test(error.message) || Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 500));
    }
  }
}

/** glassbox loss on a file of documents, in rows as the runs have. */
async function measure(file, model, plan) {
  const [line] = await glassbox(['loss', '--corpus', file, '--model', model, '--row-tokens', String(plan.rowTokens), '--json']);
  return JSON.parse(line);
}

const round = (value, digits) => Number(value.toFixed(digits));

/** At most `count` of a list, evenly spread, the last among them. */
function thin(list, count) {
  const every = Math.max(1, Math.ceil(list.length / count));
  return list.filter((_, i) => (list.length - 1 - i) % every === 0);
}

/** Trains and measures one run → its entry in the file, kept in the folder. */
async function doRun(run, plan, { texts, folder, threads, number, count, progress }) {
  await mkdir(folder, { recursive: true });
  const settingsFile = join(folder, 'settings.json');
  await replaceFile(settingsFile, `${JSON.stringify(run.settings, null, 1)}\n`);
  const cost = costOf(plan, run.size) * plan.tokensPerStep;
  let first = 0; // steps that were done before
  await train(
    ['train', '--corpus', join(texts, 'texts.jsonl'), '--lexicon', join(texts, 'lexicon.txt'), '--settings', settingsFile, '--out', folder,
      '--threads', String(threads), '--checkpoint-every', String(plan.checkpointEvery)],
    (line) => {
      const begin = /^model: .*, step (\d+) of /.exec(line);
      if (begin) first = Number(begin[1]);
      if (first > 0 && begin) console.log(`[${number}/${count}] ${run.name}  goes on after step ${first}`);
      const at = /^step (\d+)\/\d+ +loss/.exec(line);
      if (at) progress.show(`[${number}/${count}] ${run.name}  ${line.replace(/ +ETA.*/, '')}`, (Number(at[1]) - first) * cost);
    },
  );
  const training = await readJson(join(folder, 'training.json'));
  if (!training.finished) throw new Error(`${run.name}: the training has not finished`);
  const heldOut = await measure(join(texts, 'held-out.jsonl'), folder, plan);
  const unique = run.share === 1
    ? training.corpus.tokens - (await countTokens(join(texts, 'apart.jsonl'), folder))
    : await countTokens(join(texts, `part-${run.share}.jsonl`), folder);
  const [width, layers] = run.size;
  const entry = {
    name: run.name,
    kind: run.kind,
    n_layer: layers,
    n_embd: width,
    n_head: run.settings.n_head,
    parameters: training.parameters,
    non_embedding: nonEmbedding(width, layers),
    tokens: training.tokens,
    unique_tokens: unique,
    epochs: round(training.tokens / unique, 3),
    learning_rate: run.settings.learning_rate,
    held_out_loss: round(heldOut.loss, 5),
    standard_error: round(heldOut.standard_error, 5),
    held_out_loss_per_byte: round(heldOut.loss_per_byte, 5),
    training_loss: round(training.losses.at(-1).loss, 4),
    curve: thin(training.losses, 20).map(({ step, held_out: loss }) => [step * plan.tokensPerStep, round(loss, 4)]),
  };
  const result = {
    entry,
    heldOut: { documents: heldOut.documents, tokens: heldOut.tokens, bytes: heldOut.bytes },
    vocab: { size: training.vocab_size, sha256: sha256(await readFile(join(folder, 'vocab.json'))) },
    seconds: training.seconds,
  };
  await replaceFile(join(folder, 'run.json'), `${JSON.stringify(result)}\n`);
  return result;
}

/** The built-in model on the same documents, and how far the largest of the family is behind it in each family of texts. */
async function measureBuiltin(plan, facts, texts, largest) {
  const model = join(root, 'web/models/builtin');
  const key = sha256(Buffer.concat([await readFile(join(model, 'model.safetensors')), Buffer.from(`${facts.key} ${largest}`)])).slice(0, 8);
  const kept = join(dirname(largest), `builtin-${key}.json`);
  if (existsSync(kept)) return readJson(kept);
  const { loss, standard_error: error, loss_per_byte: perByte } = await measure(join(texts, 'held-out.jsonl'), model, plan);
  const families = [];
  for (const family of [...facts.families].sort()) {
    const of = (folder) => measure(familyFile(texts, family), folder, plan);
    const [theirs, ours] = [await of(largest), await of(model)];
    families.push({ family, tokens: ours.tokens, largest: round(theirs.loss, 4), builtin: round(ours.loss, 4) });
  }
  const [config, training] = [await readJson(join(model, 'config.json')), await readJson(join(model, 'training.json'))];
  const builtin = {
    parameters: training.parameters,
    non_embedding: nonEmbedding(config.n_embd, config.n_layer),
    tokens: training.tokens,
    loss: round(loss, 5),
    standard_error: round(error, 5),
    loss_per_byte: round(perByte, 5),
    by_family: families,
  };
  await replaceFile(kept, JSON.stringify(builtin));
  return builtin;
}

// ── the file

/** Everything that was measured, as the page reads it. */
function fileOf(plan, facts, results, builtin, { threads, smoke }) {
  const [{ heldOut, vocab }] = results;
  if (results.some((result) => result.vocab.sha256 !== vocab.sha256 || result.heldOut.tokens !== heldOut.tokens)) {
    throw new Error('runs of different tokenizers or held-out documents can\'t be compared');
  }
  const { settings } = runsOf(plan)[0];
  const runs = results.map((result) => result.entry);
  const file = {
    command: `tools/scaling${smoke ? ' --smoke' : ''}`,
    corpus: facts.corpus,
    tokenizer: { vocab_size: vocab.size, sha256: vocab.sha256 },
    held_out: { ...heldOut, also_in_training: facts.heldOutKnown },
    seed: settings.seed,
    recipe: {
      row_tokens: plan.rowTokens,
      tokens_per_step: plan.tokensPerStep,
      steps: plan.steps,
      learning_rate: `${plan.rate.at64} * (64 / n_embd) ^ ${plan.rate.power}`,
      warm_up_steps: settings.warm_up_steps,
      final_rate: settings.final_rate,
      weight_decay: settings.weight_decay,
      start: settings.start,
      head_width: plan.headWidth,
      curve: 'held-out loss on the trainer\'s own sample of about 8,192 tokens; held_out_loss is measured on all documents of held_out',
    },
    machine: { cores: cpus().length, words: `${cpus()[0].model.trim()}, ${threads} threads, other work beside it not excluded` },
    seconds: Math.round(results.reduce((sum, result) => sum + result.seconds, 0)),
    tokens: runs[0].tokens,
    runs,
    ...(builtin ? { builtin } : {}),
    fits: fitFamily(runs),
  };
  return { ...file, remarks: remarksOn(file) };
}

/** JSON with one line for each run, so that a change can be read. */
function textOf(file) {
  const marks = [];
  const keep = (value) => `@${marks.push(JSON.stringify(value)) - 1}@`;
  const short = { ...file, runs: file.runs.map(keep), fits: Object.fromEntries(Object.entries(file.fits).map(([key, fit]) => [key, Object.fromEntries(Object.entries(fit).map(([kind, value]) => [kind, keep(value)]))])) };
  for (const key of ['corpus', 'tokenizer', 'held_out', 'machine']) short[key] = keep(file[key]);
  if (file.builtin) short.builtin = { ...file.builtin, by_family: file.builtin.by_family.map(keep) };
  return `${JSON.stringify(short, null, 1).replace(/"@(\d+)@"/g, (_, i) => marks[i])}\n`;
}

function print(file) {
  for (const run of file.runs) {
    console.log(`${run.name.padEnd(14)} N ${String(run.non_embedding).padStart(8)}  text ${String(run.unique_tokens).padStart(8)} × ${run.epochs.toFixed(2).padStart(6)}  held-out ${run.held_out_loss.toFixed(4)} ± ${run.standard_error.toFixed(4)}  (learned ${run.training_loss.toFixed(4)})  ${run.held_out_loss_per_byte.toFixed(4)} nats a byte`);
  }
  const within = (value, error) => `${value.toPrecision(4)}${error === null ? '' : ` ± ${error.toPrecision(2)}`}`;
  for (const [count, fits] of Object.entries(file.fits)) {
    for (const [kind, fit] of Object.entries(fits)) {
      console.log(`${count}, ${kind.replace('_', ' ')}: loss = ${within(fit.floor, fit.errors.floor)} + ${within(fit.a, fit.errors.a)} · N^−(${within(fit.alpha, fit.errors.alpha)}), R² ${fit.r_squared.toFixed(4)}, scatter ${fit.residual === null ? 'unknown' : `${(100 * fit.residual).toFixed(2)} %`}`);
    }
  }
  for (const remark of file.remarks) console.log(`- ${remark}`);
}

async function main({ out, work, threads, smoke }) {
  const plan = smoke ? smokePlan : fullPlan;
  const texts = join(work, smoke ? 'smoke-texts' : 'texts');
  const facts = await prepareTexts(plan, texts);
  const runs = runsOf(plan).map((run) => {
    // Other settings, texts or ways of measuring are another run.
    const key = sha256(JSON.stringify([run.settings, run.share, facts.key, facts.corpus.sha256])).slice(0, 8);
    return { ...run, folder: join(work, `${run.name}-${key}`) };
  });
  const steps = async ({ folder }) => (existsSync(join(folder, 'training.json')) ? (await readJson(join(folder, 'training.json'))).steps : 0);
  const left = async (run) => (existsSync(join(run.folder, 'run.json')) ? 0 : costOf(plan, run.size) * plan.tokensPerStep * (plan.steps - (await steps(run))));
  const lefts = await Promise.all(runs.map(left));
  const progress = new Progress(lefts.reduce((sum, x) => sum + x, 0));
  const results = [];
  for (const [i, run] of runs.entries()) {
    const done = join(run.folder, 'run.json');
    const fresh = !existsSync(done);
    const result = fresh ? await doRun(run, plan, { texts, folder: run.folder, threads, number: i + 1, count: runs.length, progress }) : await readJson(done);
    // What a run is for is the plan's to say, so that a kept one may serve another plan.
    results.push({ ...result, entry: { ...result.entry, kind: run.kind } });
    if (fresh) {
      progress.add(lefts[i]);
      const { entry } = results.at(-1);
      progress.show(`[${i + 1}/${runs.length}] ${run.name}  held-out loss ${entry.held_out_loss} ± ${entry.standard_error}`, 0, true);
    }
    // A family is of use before the limited runs are there.
    if (i + 1 >= plan.sizes.length) await replaceFile(out, textOf(fileOf(plan, facts, results, null, { threads, smoke })));
  }
  if (!smoke) {
    const builtin = await measureBuiltin(plan, facts, texts, runs[plan.sizes.length - 1].folder);
    await replaceFile(out, textOf(fileOf(plan, facts, results, builtin, { threads, smoke })));
  }
  print(await readJson(out));
}

async function fitAgain(out) {
  const file = await readJson(out);
  const fitted = { ...file, fits: fitFamily(file.runs) };
  await replaceFile(out, textOf({ ...fitted, remarks: remarksOn(fitted) }));
  print(await readJson(out));
}

function parse(words) {
  const { values } = parseArgs({
    args: words,
    options: { out: { type: 'string' }, work: { type: 'string' }, threads: { type: 'string' }, smoke: { type: 'boolean' }, fit: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.smoke && !values.fit && !(values.out && values.work)) throw new Error('--smoke: name --out and --work, so that real runs stay as they are');
  const threads = values.threads ?? String(Math.min(4, cpus().length));
  if (!/^[1-9]\d?$/.test(threads)) throw new Error(`--threads: expected a whole number from 1 to 99, got ${threads}`);
  return { ...values, threads, out: resolve(values.out ?? join(root, 'web/site/scaling.json')), work: resolve(values.work ?? join(root, 'build/scaling')) };
}

let options;
try {
  options = parse(process.argv.slice(2));
} catch (error) {
  console.error(`scaling: ${error.message}\n${usage}`);
  process.exit(2);
}
if (options.help) {
  console.log(usage);
} else {
  try {
    if (!options.fit && !process.env.GLASSBOX) throw new Error('GLASSBOX: expected the native command; tools/scaling builds it');
    await (options.fit ? fitAgain(options.out) : main(options));
  } catch (error) {
    console.error(error instanceof Ended ? 'scaling: stopped; the same call goes on from here' : `scaling: ${error.message}`);
    process.exit(1);
  }
}
