// What the page itself does: theme switch, reading progress, the current heading in the contents.
const root = document.documentElement;
const themes = { auto: '自动', light: '浅色', dark: '深色' };

function setUpTheme(button) {
  const word = button.querySelector('.theme-word');
  const current = () => root.dataset.theme ?? 'auto';
  const show = () => {
    const name = themes[current()];
    word.textContent = name;
    button.setAttribute('aria-label', `主题：${name}，按下换一种`);
    button.title = `主题：${name}`;
  };
  button.addEventListener('click', () => {
    const names = Object.keys(themes);
    const next = names[(names.indexOf(current()) + 1) % names.length];
    if (next === 'auto') delete root.dataset.theme;
    else root.dataset.theme = next;
    try {
      if (next === 'auto') localStorage.removeItem('glassbox-theme');
      else localStorage.setItem('glassbox-theme', next);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    show();
  });
  show();
}

function setUpProgress(bar, links) {
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let waiting = false;
  const update = () => {
    waiting = false;
    const room = Math.max(1, root.scrollHeight - innerHeight);
    bar?.style.setProperty('--read', String(Math.min(1, scrollY / room)));
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3).length;
    links.forEach((link, i) => {
      if (i === passed - 1) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  };
  const ask = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(update);
  };
  addEventListener('scroll', ask, { passive: true });
  addEventListener('resize', ask, { passive: true });
  ask();
}

/** On paper a widget is its first figure, in light colours: the page is arranged so before it is printed, and back after it. */
function setUpPrint() {
  let theme;
  addEventListener('beforeprint', () => {
    theme = root.dataset.theme;
    root.dataset.theme = 'light';
    for (const figure of document.querySelectorAll('[data-widget] > .first')) {
      const copy = figure.cloneNode(true);
      copy.classList.add('print-figure');
      figure.parentElement.before(copy);
    }
  });
  addEventListener('afterprint', () => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    document.querySelectorAll('.print-figure').forEach((copy) => copy.remove());
  });
}

/** Brings the page's own controls to life. */
export function setUpPage() {
  const button = document.querySelector('.theme');
  if (button) setUpTheme(button);
  const bar = document.querySelector('.read');
  const links = [...document.querySelectorAll('.toc a')];
  if (bar || links.length) setUpProgress(bar, links);
  setUpPrint();
  document.querySelector('button.print')?.addEventListener('click', () => print());
  addEventListener('glassbox-error', ({ target }) => {
    target.dataset.failed = '';
  });
  const fold = document.querySelector('.fold');
  fold?.addEventListener('click', (event) => {
    if (event.target.closest('a')) fold.open = false;
  });
}
