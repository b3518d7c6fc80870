#!/usr/bin/env node
// Builds the static site: Markdown lessons, first figures, scripts, styles, engine and built-in model → dist/.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { trainingTexts } from './builtin-corpus/training-texts.mjs';
import { importPackage } from './packages.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const web = join(root, 'web');

const usage = `usage: node tools/site.mjs [--out dist] [--wasm build/wasm] [--base https://host/path/]
  --out   folder to write; a site that is there is replaced
  --wasm  folder with glassbox and trainer, .mjs and .wasm, as tools/build makes them
  --base  where the site will be served, for whole addresses in link previews`;

function parseArguments(words) {
  const options = { out: join(root, 'dist'), wasm: join(root, 'build/wasm'), base: '' };
  for (let i = 0; i < words.length; i += 1) {
    if (words[i] === '--help') return { help: true };
    const name = /^--(out|wasm|base)$/.exec(words[i])?.[1];
    if (!name || words[i + 1] === undefined) return null;
    const value = words[(i += 1)];
    options[name] = name === 'base' ? value : resolve(value);
  }
  return options;
}

/** The address under which the site will be served, ending in a slash so that the last folder counts. */
function checkBase(base) {
  if (!base) return '';
  if (!/^https?:\/\/[^/]/.test(base)) throw new Error(`--base wants an address such as https://host/path/, not "${base}"`);
  return new URL(base.endsWith('/') ? base : `${base}/`).href;
}

const exists = (path) => stat(path).then(() => true, () => false);

/** The built-in model's files, their sizes, and the short hash that figures show. */
async function copyModel(from, to) {
  const names = (await readdir(from, { withFileTypes: true })).filter((entry) => entry.isFile() && entry.name !== 'manifest.json').map((entry) => entry.name).sort();
  if (!names.includes('model.safetensors')) throw new Error(`${relative(root, from)}/model.safetensors is missing`);
  await mkdir(to, { recursive: true });
  const files = {};
  for (const name of names) {
    await copyFile(join(from, name), join(to, name));
    files[name] = (await stat(join(to, name))).size;
  }
  const hash = createHash('sha256').update(await readFile(join(to, 'model.safetensors'))).digest('hex').slice(0, 8);
  await writeFile(join(to, 'manifest.json'), `${JSON.stringify({ files, hash })}\n`);
}

/** A vocabulary whose ids follow from its merges, with its list of files. */
async function copyVocabulary(from, to) {
  const name = 'merges.txt';
  if (!(await exists(join(from, name)))) throw new Error(`${relative(root, from)}/${name} is missing: run tools/models first`);
  await mkdir(to, { recursive: true });
  await copyFile(join(from, name), join(to, name));
  const bytes = await readFile(join(to, name));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  await writeFile(join(to, 'manifest.json'), `${JSON.stringify({ files: { [name]: bytes.length }, hash })}\n`);
}

/** Scripts with a wasm module of their own, each in a folder of the site. */
const workers = [
  { source: 'worker.js', folder: 'engine', alias: 'glassbox-wasm', module: 'glassbox' },
  { source: 'trainer-worker.js', folder: 'trainer', alias: 'glassbox-trainer-wasm', module: 'trainer' },
];

/** The texts that a page offers for training, and their list. */
async function writeTexts(to) {
  await mkdir(to, { recursive: true });
  const list = {};
  for (const { name, lang, documents, text } of trainingTexts()) {
    const file = `${name}.txt`;
    await writeFile(join(to, file), text);
    list[name] = { file, lang, documents, bytes: Buffer.byteLength(text) };
  }
  await writeFile(join(to, 'manifest.json'), `${JSON.stringify(list)}\n`);
}

async function bundle(out, wasm) {
  const { build } = await importPackage('esbuild');
  const { tokensCss } = await import('../web/styles/tokens.js');
  const pageCss = await readFile(join(web, 'styles/page.css'), 'utf8');
  const common = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning', charset: 'utf8', absWorkingDir: root };
  const script = { ...common, target: 'es2020' };
  const [{ metafile }] = await Promise.all([
    // One file a widget, fetched where a page shows it; what widgets share stands in files of its own.
    build({
      ...script,
      entryPoints: { 'site/main': join(web, 'site/main.js'), embed: join(web, 'site/embed.js') },
      outdir: out,
      format: 'esm',
      splitting: true,
      chunkNames: 'widgets/[name]-[hash]',
      metafile: true,
    }),
    build({ ...script, entryPoints: [join(web, 'site/theme.js')], outfile: join(out, 'site/theme.js'), bundle: false }),
    build({ ...common, stdin: { contents: tokensCss + pageCss, loader: 'css', resolveDir: join(web, 'styles') }, outfile: join(out, 'site/page.css') }),
    ...workers.map(({ source, folder, alias, module }) =>
      // A classic script has no import.meta; its own address serves for the glue's relative paths.
      build({
        ...script,
        entryPoints: [join(web, 'engine', source)],
        outfile: join(out, folder, 'worker.js'),
        format: 'iife',
        define: { 'import.meta.url': 'self.location.href' },
        alias: { [alias]: join(wasm, `${module}.mjs`) },
      }),
    ),
  ]);
  for (const { folder, module } of workers) await copyFile(join(wasm, `${module}.wasm`), join(out, folder, `${module}.wasm`));
  return { scriptsFor: scriptsFinder(out, metafile) };
}

/** → a function from the tags on a page to the scripts that it will import, so that it can name them before the first one asks. */
function scriptsFinder(out, { outputs }) {
  const files = Object.entries(outputs).map(([path, { entryPoint, imports }]) => ({
    path: relative(out, join(root, path)),
    entryPoint,
    imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path: to }) => relative(out, join(root, to))),
  }));
  return (tags) => {
    const found = new Set();
    const add = (file) => {
      if (found.has(file.path)) return;
      found.add(file.path);
      for (const path of file.imports) add(files.find((other) => other.path === path));
    };
    for (const source of ['site/main.js', ...tags.map((tag) => `widgets/${tag.replace(/^glassbox-/, '')}.js`)]) {
      const file = files.find(({ entryPoint }) => entryPoint === `web/${source}`);
      if (!file) throw new Error(`no script was built for web/${source}`);
      add(file);
    }
    return [...found].filter((path) => path !== 'site/main.js').sort();
  };
}

async function findLessons() {
  const folder = join(web, 'lessons/zh');
  const { lessons } = await import('../web/site/lessons.mjs');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'index.md').map((name) => basename(name, '.md'));
  const unknown = names.filter((name) => !lessons.some((lesson) => lesson.name === name));
  if (unknown.length) throw new Error(`web/lessons/zh/${unknown[0]}.md has no entry in web/site/lessons.mjs`);
  return lessons.map((lesson) => ({ ...lesson, href: names.includes(lesson.name) ? `zh/${lesson.name}.html` : null }));
}

/** The engine, which computes what it is asked more than once only the first time: figures and sentences often speak of the same text. */
function remembering(engine) {
  const known = new Map();
  for (const name of ['agentStep', 'generate', 'next', 'trace']) {
    const ask = engine[name].bind(engine);
    engine[name] = async (...given) => {
      if (given.length > 2) return ask(...given); // someone listens while it is computed
      if (given[1]?.model?.startsWith('memory:')) return ask(...given); // a model in training changes under its name
      const key = JSON.stringify([name, ...given]);
      if (!known.has(key)) known.set(key, ask(...given));
      return structuredClone(await known.get(key));
    };
  }
  return engine;
}

async function makeFigures(wasm, modelsDir) {
  const { nodeEngine } = await import('../web/engine/node.js');
  const { figureFor } = await import('../web/site/figures.js');
  const engine = remembering(await nodeEngine({ engineDir: wasm, modelsDir }));
  const made = new Map();
  return {
    engine,
    figureFor(tag, attributes) {
      const key = JSON.stringify([tag, attributes]);
      if (!made.has(key)) made.set(key, figureFor(tag, attributes, engine));
      return made.get(key);
    },
  };
}

async function writePages(out, wasm, base, scriptsFor) {
  const { renderLesson } = await import('../web/site/markdown.mjs');
  const { glossaryPage, homePage, lessonPage, pagePaths, plainPage, sourcesPage, worksheetPage } = await import('../web/site/template.mjs');
  const { gatherSources } = await import('../web/site/sources.mjs');
  const { gatherTerms } = await import('../web/site/terms.mjs');
  const { readTasks } = await import('../web/site/worksheet.mjs');
  const { drawPreview, previewPicture: picture } = await import('../web/site/preview.mjs');
  const { engine, figureFor } = await makeFigures(wasm, join(out, 'models'));
  const lessons = await findLessons();
  const shown = new Set();

  const render = async (path, options = {}) => {
    const file = relative(root, path);
    const lesson = await renderLesson(await readFile(path, 'utf8'), { file, figureFor, engine, ...options });
    lesson.widgets.forEach((widget) => shown.add(widget.tag));
    return { ...lesson, file, scripts: scriptsFor([...new Set(lesson.widgets.map((widget) => widget.tag))]) };
  };
  const common = { lang: 'zh', base, lessons, picture };

  const home = await render(join(web, 'lessons/zh/index.md'));
  await writeFile(join(out, 'index.html'), homePage({ ...common, root: '', path: 'index.html', lesson: home }));

  const widgets = await render(join(web, 'site/widgets.md'));
  await writeFile(join(out, 'widgets.html'), plainPage({ ...common, root: '', path: 'widgets.html', lesson: widgets }));

  const written = [];
  const sheets = [];
  for (const { name, number, title, href } of lessons.filter((lesson) => lesson.href)) {
    const lesson = await render(join(web, `lessons/zh/${name}.md`));
    if (lesson.data.title.replaceAll('|', '') !== title) throw new Error(`web/lessons/zh/${name}.md and web/site/lessons.mjs give the lesson different titles`);
    await writeFile(join(out, href), lessonPage({ ...common, root: '../', path: href, lesson, number }));
    const address = basename(href);
    written.push({ ...lesson, href: address, number });
    const sheet = join(web, 'lessons/zh/worksheet', `${name.slice(0, 2)}.md`);
    if (!(await exists(sheet))) continue;
    const { html, file } = await render(sheet, { frontMatter: false });
    try {
      sheets.push({ number, title, href: address, tasks: readTasks(html) });
    } catch (error) {
      throw new Error(`${file}: ${error.message}`, { cause: error });
    }
  }
  const gathered = { ...common, root: '../' };
  await writeFile(join(out, pagePaths.glossary), glossaryPage({ ...gathered, path: pagePaths.glossary, terms: gatherTerms(written) }));
  await writeFile(join(out, pagePaths.sources), sourcesPage({ ...gathered, path: pagePaths.sources, works: gatherSources(written) }));
  await writeFile(join(out, pagePaths.worksheet), worksheetPage({ ...gathered, path: pagePaths.worksheet, sheets }));

  const main = home.widgets.find((widget) => widget.attributes.text);
  if (!main) throw new Error('web/lessons/zh/index.md shows no widget with a text, from which the preview picture is drawn');
  const { activations } = await engine.trace(main.attributes.text, { names: ['h.0.attn.weights'] });
  const { shape, data } = activations['h.0.attn.weights'];
  await writeFile(join(out, 'site/preview.png'), drawPreview({ shape: shape.slice(1), data: data.slice(0, shape[1] * shape[2]) }));
  await copyFile(join(web, 'site/icon.svg'), join(out, 'site/icon.svg'));
  return { pages: 5 + lessons.filter((lesson) => lesson.href).length, widgets: [...shown] };
}

/**
 * Builds the site.
 * @param {{out: string, wasm: string, base?: string}} options whole paths
 * @returns {Promise<{pages: number, widgets: string[]}>}
 * @throws {Error} naming what is missing; a LessonError names file and line
 */
export async function buildSite({ out, wasm, base = '' }) {
  const address = checkBase(base);
  if ((await exists(out)) && (await readdir(out)).length > 0 && !(await exists(join(out, 'site/main.js')))) {
    throw new Error(`${out} holds something that is no site, and is left alone: choose another folder`);
  }
  for (const name of workers.flatMap(({ module }) => [`${module}.mjs`, `${module}.wasm`])) {
    if (!(await exists(join(wasm, name)))) throw new Error(`${join(wasm, name)} is missing: run tools/build first`);
  }
  // Built beside the old site and swapped at the end: a failed build leaves the old one as it was.
  const fresh = `${out}.new`;
  await rm(fresh, { recursive: true, force: true });
  for (const folder of ['zh', 'site', ...workers.map((worker) => worker.folder), 'models']) await mkdir(join(fresh, folder), { recursive: true });
  await copyModel(join(web, 'models/builtin'), join(fresh, 'models/builtin'));
  await copyVocabulary(join(root, 'build/models/gpt2'), join(fresh, 'models/gpt2'));
  await writeTexts(join(fresh, 'texts'));
  const { scriptsFor } = await bundle(fresh, wasm);
  const result = await writePages(fresh, wasm, address, scriptsFor);
  await rm(out, { recursive: true, force: true });
  await rename(fresh, out);
  return result;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const options = parseArguments(process.argv.slice(2));
  if (!options || options.help) {
    (options ? console.log : console.error)(usage);
    process.exit(options ? 0 : 2);
  }
  try {
    const { pages, widgets } = await buildSite(options);
    console.log(`${options.out}: ${pages} pages, widgets ${widgets.join(', ')}`);
    process.exit(0);
  } catch (error) {
    console.error(`site: ${error.message}`);
    process.exit(1);
  }
}
