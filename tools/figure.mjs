// Draws the page's own figure of one attention head: the engine that the page runs, and web/draw.
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { attentionFigure } from '../web/draw/attention-figure.js';
import { nodeEngine } from '../web/engine/node.js';
import { attentionOf } from '../web/site/figures.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const usage = `usage: tools/figure TEXT [--layer 0] [--head 0] [-o F.svg] [--theme light|dark] [--lang zh|en] [--model F.safetensors]
  Draws the attention weights of one head as SVG, to F.svg or to standard output. Run tools/build first.`;

function parse(words) {
  const option = (short, fallback) => ({ type: 'string', ...(short && { short }), ...(fallback && { default: fallback }) });
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      layer: option('', '0'),
      head: option('', '0'),
      output: option('o'),
      theme: option('', 'light'),
      lang: option('', 'zh'),
      model: option('', 'builtin'),
      help: { type: 'boolean' },
    },
  });
  if (!values.help && positionals.length !== 1) throw new Error(`expected one text, got ${positionals.length}`);
  if (!['light', 'dark'].includes(values.theme)) throw new Error(`--theme: expected light or dark, got ${values.theme}`);
  if (!['zh', 'en'].includes(values.lang)) throw new Error(`--lang: expected zh or en, got ${values.lang}`);
  return { ...values, text: positionals[0] };
}

async function draw({ text, layer, head, lang, theme, model }) {
  const engine = await nodeEngine({ engineDir: join(root, 'build/wasm'), modelsDir: join(root, 'web/models') });
  const { note, ...drawn } = await attentionOf({ text, layer, head, lang, model }, engine);
  const name = model === 'builtin' ? note.model : note.model.replace(model, basename(model));
  return attentionFigure({ ...drawn, note: `${name} ${note.hash} · ${note.rest}`, theme });
}

let options;
try {
  options = parse(process.argv.slice(2));
} catch (error) {
  console.error(`figure: ${error.message}\n${usage}`);
  process.exit(2);
}
if (options.help) {
  console.log(usage);
  process.exit(0);
}
try {
  const svg = await draw(options);
  if (options.output) await writeFile(options.output, svg);
  else process.stdout.write(svg);
} catch (error) {
  console.error(`figure: ${error.message}`);
  process.exit(1);
}
