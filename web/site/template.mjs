// Page = head, header, main, footer. All addresses are relative, so that any sub-path serves.
import { escapeHtml } from './markdown.mjs';

const words = {
  zh: {
    language: 'zh-Hans',
    locale: 'zh_CN',
    site: '玻璃盒',
    series: '从零开始理解大模型',
    skip: '跳到正文',
    theme: '换主题',
    lesson: (number) => `第 ${number} 课`,
    where: (number, total) => `第 ${number} 课 / ${total}`,
    contents: '本课目录',
    neighbours: '上一课与下一课',
    previous: '上一课',
    next: '下一课',
    home: '回到目录',
    ten: '十课',
    order: '可以从头读，也可以先读写好的。',
    read: '读',
    coming: '未写',
    foot: '页面上的每个数都由引擎算出：先由构建时的引擎，再由你的浏览器。',
    every: '全部部件',
  },
};

/** A title whose `|` marks where a line may break → HTML that breaks only there. */
const phrases = (title) =>
  title.includes('|')
    ? title.split('|').map((phrase) => `<span class="phrase">${escapeHtml(phrase)}</span>`).join('<wbr>')
    : escapeHtml(title);

const plain = (title) => title.replaceAll('|', '');

// The same drawing as icon.svg, but in the page's own colours, which follow its theme.
const mark =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect x="2" y="2" width="28" height="28" rx="6"/><path d="M7.5 7.5h4.8v4.8H7.5z"/><path d="M7.5 13.6h4.8v4.8H7.5z" opacity=".4"/><path d="M13.6 13.6h4.8v4.8h-4.8z" opacity=".8"/><path d="M7.5 19.7h4.8v4.8H7.5z" opacity=".9"/><path d="M13.6 19.7h4.8v4.8h-4.8z" opacity=".3"/><path d="M19.7 19.7h4.8v4.8h-4.8z" opacity=".55"/></svg>';

function head({ lang, root, base, path, title, description, type, picture, scripts }) {
  const w = words[lang];
  // Preview fetchers want whole addresses; without a known one the relative address is the best there is.
  const absolute = (to) => (base ? new URL(to, base).href : root + to);
  return `<!doctype html>
<html lang="${w.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<meta name="color-scheme" content="light dark">
<meta property="og:type" content="${type}">
<meta property="og:site_name" content="${escapeHtml(w.site)}">
<meta property="og:locale" content="${w.locale}">
<meta property="og:title" content="${escapeHtml(title)}">
<meta property="og:description" content="${escapeHtml(description)}">${base ? `\n<meta property="og:url" content="${escapeHtml(absolute(path))}">` : ''}
<meta property="og:image" content="${escapeHtml(absolute('site/preview.png'))}">
<meta property="og:image:width" content="${picture.width}">
<meta property="og:image:height" content="${picture.height}">
<meta property="og:image:alt" content="${escapeHtml(picture.alt)}">
<meta name="twitter:card" content="summary_large_image">
<link rel="icon" href="${root}site/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}site/page.css">
<script src="${root}site/theme.js"></script>
<script type="module" src="${root}site/main.js"></script>
${scripts.map((script) => `<link rel="modulepreload" href="${root}${script}">\n`).join('')}</head>`;
}

function header({ lang, root, where = '', progress = false }) {
  const w = words[lang];
  return `<a class="skip" href="#main">${w.skip}</a>
<header class="bar"><div class="bar-row">
<a class="brand" href="${root}index.html">${mark}${w.site}<small lang="en">Glassbox</small></a>
<span class="where">${escapeHtml(where)}</span>
<button class="theme" type="button" aria-label="${w.theme}"><svg viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="7.25"/><path d="M9 4.5a4.5 4.5 0 0 1 0 9z"/></svg><span class="theme-word"></span></button>
</div>${progress ? '<div class="read"></div>' : ''}</header>`;
}

function footer({ lang, root }) {
  const w = words[lang];
  return `<footer class="foot"><span>${w.foot}</span><a href="${root}widgets.html">${w.every}</a></footer>`;
}

const layout = ({ lang, root, page, kind, main, beside = '', where, progress }) => `${head({ lang, root, ...page })}
<body>
${header({ lang, root, where, progress })}
<div class="page ${kind}">
${beside}<main class="flow" id="main" tabindex="-1">
${main}</main>
</div>
<div class="page${kind === 'home' ? ' home' : ''}">${footer({ lang, root })}</div>
</body>
</html>
`;

/** The home page: the lesson-like text of index.md, then the ten lessons as a path. */
export function homePage({ lang, root, base, path, lesson, lessons, picture }) {
  const w = words[lang];
  const steps = lessons.map(({ number, title, line, href }) => {
    const inside = `<span class="step-number">${number}</span><span class="step-title">${escapeHtml(title)}</span><span class="step-line">${escapeHtml(line)}</span><span class="step-state">${href ? w.read : w.coming}</span>`;
    return `<li${href ? '' : ' class="coming"'}>${href ? `<a class="step" href="${root}${href}">${inside}</a>` : `<div class="step">${inside}</div>`}</li>`;
  });
  const main = `<p class="eyebrow">${w.series}</p>
<h1>${phrases(lesson.data.heading ?? lesson.data.title)}</h1>
${lesson.html}<div class="ten-head"><h2 id="lessons">${w.ten}</h2><p>${w.order}</p></div>
<ol class="path" role="list">
${steps.join('\n')}
</ol>
`;
  const page = { base, path, title: `${plain(lesson.data.title)}`, description: lesson.data.description, type: 'website', picture, scripts: lesson.scripts };
  return layout({ lang, root, page, kind: 'home', main });
}

/** One lesson's page, with contents beside it and its neighbours after it. */
export function lessonPage({ lang, root, base, path, lesson, number, lessons, picture }) {
  const w = words[lang];
  const neighbour = (to, label) => {
    if (!to) return `<a href="${root}index.html#lessons"><small>${w.ten}</small>${w.home}</a>`;
    if (to.href) return `<a href="${root}${to.href}" rel="${label === w.next ? 'next' : 'prev'}"><small>${label}</small>${escapeHtml(to.title)}</a>`;
    return `<span class="coming"><small>${label} · ${w.coming}</small>${escapeHtml(to.title)}</span>`;
  };
  const at = lessons.findIndex((entry) => entry.number === number);
  const links = lesson.contents.map(({ id, title }) => `<a href="#${id}">${escapeHtml(title)}</a>`).join('');
  const beside = `<div class="toc"><nav aria-label="${w.contents}">${links}</nav></div>\n`;
  // On narrow screens the contents are folded into one line under the title.
  const fold = `<details class="fold"><summary>${w.contents}</summary><nav aria-label="${w.contents}">${links}</nav></details>\n`;
  const main = `<p class="eyebrow">${w.series} · ${w.lesson(number)}</p>
<h1>${phrases(lesson.data.title)}</h1>
${lesson.data.question ? `<p class="question">${escapeHtml(lesson.data.question)}</p>\n` : ''}${lesson.contents.length ? fold : ''}${lesson.html}<nav class="turn" aria-label="${w.neighbours}">${neighbour(lessons[at - 1], w.previous)}${neighbour(lessons[at + 1], w.next)}</nav>
`;
  const title = `${w.lesson(number)} · ${plain(lesson.data.title)} · ${w.site}`;
  const page = { base, path, title, description: lesson.data.description, type: 'article', picture, scripts: lesson.scripts };
  return layout({ lang, root, page, kind: 'lesson', main, beside, where: w.where(number, lessons.length), progress: true });
}

/** A page without a place in the series. */
export function plainPage({ lang, root, base, path, lesson, picture }) {
  const w = words[lang];
  const page = { base, path, title: `${plain(lesson.data.title)} · ${w.site}`, description: lesson.data.description, type: 'website', picture, scripts: lesson.scripts };
  const main = `<p class="eyebrow">${w.series}</p>\n<h1>${phrases(lesson.data.title)}</h1>\n${lesson.html}`;
  return layout({ lang, root, page, kind: 'plain', main });
}
