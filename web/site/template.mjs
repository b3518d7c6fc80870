// Page = head, header, main, footer. All addresses are relative, so that any sub-path serves.
import { escapeHtml } from './markdown.mjs';
import { writeWork } from './sources.mjs';

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
    order: '一课接一课，也可以挑一课先读。',
    read: '读',
    coming: '未写',
    beside: '读的时候用得着',
    foot: '页面上的每个数都由引擎算出：先由构建时的引擎，再由你的浏览器。',
    footLinks: '整个网站',
    colon: '：',
    pages: {
      glossary: { title: '术语表', line: '课里的每一个术语，一句话说清，点一下回到讲它的地方。' },
      sources: { title: '出处', line: '十课用到的论文和资料，各在哪一课、用来做什么。' },
      worksheet: { title: '练习单', line: '一课一张，用网页上的部件做，可以打印，答案另成一张。' },
      widgets: { title: '全部部件', line: '课里的每一件可以动手的东西，摆在一页上。' },
    },
    glossary: { description: '《从零开始理解大模型》里的全部术语：中文、英文、一句话的解释，和讲它的那一课。', intro: '按中文名的读音排，英文名的在前。' },
    sources: { description: '《从零开始理解大模型》用到的全部论文和资料，以及每一课拿它们做什么。', intro: '按作者的姓排。有 arXiv 编号的，年份是第一次放出来的那一年，正式发表的往往晚一些。' },
    worksheet: {
      description: '《从零开始理解大模型》的练习单：一课一张，用网页上的部件做，可以打印；答案另成一张，数都由引擎算出。',
      intro: '一课一张，三到五题，都用那一课网页上的部件做。打印在 A4 纸上，每一课从新的一页起，答案在最后，自成一份。答案里的数是构建这个网页时由引擎算出来的；要在课上量时间的题，每台机器的数都不同。',
      print: '打印',
      sheet: (number) => `练习单 · 第 ${number} 课`,
      name: '姓名',
      date: '日期',
      answers: '答案',
      forTeachers: '给老师的。先让学生写下猜测，再对。',
      lesson: '打开这一课',
    },
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

/** Where the pages beside the lessons stand. */
export const pagePaths = { glossary: 'zh/glossary.html', sources: 'zh/sources.html', worksheet: 'zh/worksheet.html', widgets: 'widgets.html' };

function footer({ lang, root, path }) {
  const w = words[lang];
  const links = [['index.html', w.ten], ...Object.entries(pagePaths).map(([name, to]) => [to, w.pages[name].title])];
  const line = links.map(([to, title]) => `<a href="${root}${to}"${to === path ? ' aria-current="page"' : ''}>${title}</a>`).join('');
  return `<footer class="foot"><span>${w.foot}</span><nav aria-label="${w.footLinks}">${line}</nav></footer>`;
}

const layout = ({ lang, root, page, kind, main, beside = '', where, progress }) => `${head({ lang, root, ...page })}
<body>
${header({ lang, root, where, progress })}
<div class="page ${kind}">
${beside}<main class="flow" id="main" tabindex="-1">
${main}</main>
</div>
<div class="page${kind === 'home' ? ' home' : ''}">${footer({ lang, root, path: page.path })}</div>
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
<h2 class="beside-head">${w.beside}</h2>
<ul class="beside" role="list">
${Object.entries(pagePaths).map(([name, to]) => `<li><a href="${root}${to}"><b>${w.pages[name].title}</b><span>${w.pages[name].line}</span></a></li>`).join('\n')}
</ul>
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

/** A page that is gathered from all lessons; its addresses start from its own folder, as those of the lessons do. */
function gatheredPage({ lang, base, path, picture }, name, main, beside = '') {
  const w = words[lang];
  const page = { base, path, title: `${w.pages[name].title} · ${w.site}`, description: w[name].description, type: 'website', picture, scripts: [] };
  return layout({
    lang,
    root: '../',
    page,
    kind: `plain ${name}`,
    main: `<div class="opening"><p class="eyebrow">${w.series}</p>\n<h1>${w.pages[name].title}</h1>\n<p>${w[name].intro}</p>${beside}</div>\n${main}`,
  });
}

/** Every term with its one sentence and the way to its lesson; `terms` as gatherTerms gives them. */
export function glossaryPage({ terms, ...common }) {
  const w = words[common.lang];
  const entries = terms.map(({ name, english, slug, html, href, number }) => {
    const foreign = name === english ? '' : ` <span lang="en">${escapeHtml(english.replaceAll('，', ', '))}</span>`;
    return `<div id="${slug}"><dt${name === english ? ' lang="en"' : ''}>${escapeHtml(name)}${foreign}</dt><dd>${html} <a href="${href}">${w.lesson(number)}</a></dd></div>`;
  });
  return gatheredPage(common, 'glossary', `<dl class="terms">\n${entries.join('\n')}\n</dl>\n`);
}

/** Every work with what each lesson takes from it; `works` as gatherSources gives them. */
export function sourcesPage({ works, ...common }) {
  const w = words[common.lang];
  const entries = works.map((work) => {
    const used = work.lessons.map(({ href, number, place, note }) => {
      const text = [place && `${place}。`, note].filter(Boolean).join('');
      return `<li><a href="${href}">${w.lesson(number)}</a>${text ? `${w.colon}${text}` : ''}</li>`;
    });
    return `<li><p>${writeWork(work, escapeHtml)}</p><ul>${used.join('')}</ul></li>`;
  });
  return gatheredPage(common, 'sources', `<ul class="works">\n${entries.join('\n')}\n</ul>\n`);
}

/** The tasks of all lessons, a sheet of paper each, then the answers; `sheets` holds { number, title, href, tasks } with the tasks of worksheet.mjs. */
export function worksheetPage({ sheets, ...common }) {
  const w = words[common.lang];
  const s = w.worksheet;
  const blank = (count) => (count ? `<div class="lines" aria-hidden="true">${'<i></i>'.repeat(count)}</div>` : '');
  const pages = sheets.map(({ number, title, href, tasks }) => {
    const list = tasks.map(({ title: name, lines, task }) => `<li><h3>${name}</h3>\n${task}\n${blank(lines)}</li>`);
    return `<section class="sheet" aria-labelledby="sheet-${number}">
<p class="sheet-head"><span>${s.sheet(number)}</span><span class="blank">${s.name}</span><span class="blank">${s.date}</span></p>
<h2 id="sheet-${number}">${escapeHtml(title)}</h2>
<p class="to-lesson"><a href="${href}">${s.lesson}</a></p>
<ol class="tasks">
${list.join('\n')}
</ol>
</section>`;
  });
  const answers = sheets.map(({ number, title, tasks }) => {
    const list = tasks.map(({ title: name, answer }) => `<li><h4>${name}</h4>\n${answer}</li>`);
    return `<section><h3>${w.lesson(number)} · ${escapeHtml(title)}</h3>\n<ol class="tasks">\n${list.join('\n')}\n</ol></section>`;
  });
  const links = [...sheets.map(({ number }) => [`sheet-${number}`, w.lesson(number)]), ['answers', s.answers]].map(([id, text]) => `<a href="#${id}">${text}</a>`);
  const beside = `\n<nav class="sheets" aria-label="${w.pages.worksheet.title}">${links.join('')}</nav>\n<p><button class="print" type="button">${s.print}</button></p>`;
  const last = `<section class="sheet answers" aria-labelledby="answers">\n<h2 id="answers">${s.answers}</h2>\n<p>${s.forTeachers}</p>\n${answers.join('\n')}\n</section>`;
  return gatheredPage(common, 'worksheet', `${pages.join('\n')}\n${last}\n`, beside);
}
