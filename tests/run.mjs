#!/usr/bin/env node
// run.mjs FILE…: runs test files two at a time, since each leaves a core idle while it waits for a page or a process. Files named
// *.quiet.test.mjs measure time: they run alone, after all others. What failed is told once more at the end.
import { basename, resolve } from 'node:path';
import { run } from 'node:test';
import { tap } from 'node:test/reporters';

const failed = [];

async function runFiles(files, concurrency) {
  if (files.length === 0) return;
  const events = run({ files, concurrency });
  events.on('test:fail', ({ name, details, file }) => failed.push({ name, file, type: details.type, error: details.error?.cause?.message ?? details.error?.message }));
  for await (const line of events.compose(tap)) process.stdout.write(line);
}

const files = process.argv.slice(2).map((file) => resolve(file));
if (files.length === 0) {
  console.error('run.mjs: name the test files to run');
  process.exit(2);
}
// The longest come first, or one of them would run on alone at the end.
const longest = ['whole-site.test.mjs', 'memory.test.mjs', 'pages.test.mjs', 'export.test.mjs', 'engine.test.mjs', 'lesson-10.test.mjs'];
const rank = (file) => longest.indexOf(basename(file)) >>> 0;
files.sort((a, b) => rank(a) - rank(b));
const isQuiet = (file) => file.endsWith('.quiet.test.mjs');
await runFiles(files.filter((file) => !isQuiet(file)), 2);
await runFiles(files.filter(isQuiet), 1);
for (const { name, file, error } of failed) console.log(`failed: ${file ?? ''} ${name}: ${error}`);
console.log(`${files.length} files, ${failed.length === 0 ? 'all passed' : `${failed.length} failures`}`);
process.exitCode = failed.length === 0 ? 0 : 1;
