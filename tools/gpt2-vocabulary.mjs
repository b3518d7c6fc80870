#!/usr/bin/env node
// Writes GPT-2's vocab.json and merges.txt, as OpenAI published them, from the token ranks in the npm package
// js-tiktoken (MIT). The ranks name only what each merge makes; which two tokens it joins is what the earlier merges
// leave of the same bytes.
// Usage: node tools/gpt2-vocabulary.mjs FOLDER_WITH_NODE_MODULES OUTPUT_FOLDER

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const entryCount = 50257;
const mergeCount = 50000;
const byteCount = 256;
// Of encoder.json and vocab.bpe at https://openaipublic.blob.core.windows.net/gpt-2/encodings/main/.
const vocabSha256 = '196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783';
const mergesSha256 = '1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5';

function fail(message) {
  console.error(`gpt2-vocabulary: ${message}`);
  process.exit(1);
}

/** The character that stands for each byte in GPT-2's files: printable Latin-1 as itself, the rest from U+0100 on. */
function byteAlphabet() {
  const isPrintable = (byte) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
  let next = 0x100;
  return Array.from({ length: byteCount }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : next++));
}

/** Token bytes as Latin-1 strings, in order of rank. The file's lines are `mark offset token token …`, in base64. */
function readTokens(ranks) {
  const tokens = [];
  for (const line of ranks.bpe_ranks.split('\n').filter((text) => text !== '')) {
    const [, offset, ...encoded] = line.split(' ');
    encoded.forEach((token, i) => {
      tokens[Number(offset) + i] = Buffer.from(token, 'base64').toString('latin1');
    });
  }
  return tokens;
}

/** The pieces of `bytes` after all merges of a rank below `limit`. */
function piecesBelow(bytes, limit, rankOf) {
  const pieces = [...bytes];
  for (;;) {
    let best = limit;
    let place = -1;
    for (let i = 0; i + 1 < pieces.length; i++) {
      const rank = rankOf.get(pieces[i] + pieces[i + 1]) ?? limit;
      if (rank < best) [best, place] = [rank, i];
    }
    if (place < 0) return pieces;
    pieces.splice(place, 2, pieces[place] + pieces[place + 1]);
  }
}

/** JSON as Python writes it by default, which is how the published file looks. */
function toPythonJson(entries) {
  const escape = (text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `{${entries.map(([text, id]) => `${escape(text)}: ${id}`).join(', ')}}`;
}

const [packageFolder, outputFolder] = process.argv.slice(2);
if (!outputFolder) fail('usage: gpt2-vocabulary.mjs FOLDER_WITH_NODE_MODULES OUTPUT_FOLDER');

function loadRanks() {
  const require = createRequire(join(resolve(packageFolder), 'package.json'));
  try {
    const loaded = require('js-tiktoken/ranks/gpt2');
    return loaded.default ?? loaded;
  } catch (error) {
    return fail(`no package js-tiktoken in ${packageFolder}: ${error.message.split('\n')[0]}`);
  }
}

const ranks = loadRanks();

const tokens = readTokens(ranks);
const rankOf = new Map(tokens.map((token, rank) => [token, rank]));
const alphabet = byteAlphabet();
const spell = (bytes) => [...bytes].map((character) => alphabet[character.charCodeAt(0)]).join('');

const merges = [];
for (let rank = byteCount; rank < tokens.length; rank++) {
  const pieces = piecesBelow(tokens[rank] ?? '', rank, rankOf);
  if (pieces.length !== 2) fail(`rank ${rank}: expected two pieces, got ${pieces.length}`);
  merges.push(pieces.map(spell).join(' '));
}
const entries = [...tokens.map((token, id) => [spell(token), id]), ...Object.entries(ranks.special_tokens)];
if (new Set(entries.map(([text]) => text)).size !== entryCount || entries.length !== entryCount) {
  fail(`expected ${entryCount} different entries, got ${entries.length}`);
}
if (new Set(merges).size !== mergeCount || merges.length !== mergeCount) {
  fail(`expected ${mergeCount} different merges, got ${merges.length}`);
}

const files = [
  ['vocab.json', vocabSha256, toPythonJson(entries)],
  ['merges.txt', mergesSha256, `#version: 0.2\n${merges.join('\n')}\n`],
];
for (const [name, expected, text] of files) {
  const actual = createHash('sha256').update(text).digest('hex');
  if (actual !== expected) fail(`${name}: expected SHA-256 ${expected}, got ${actual}`);
}
mkdirSync(outputFolder, { recursive: true });
for (const [name, , text] of files) writeFileSync(join(outputFolder, name), text);
