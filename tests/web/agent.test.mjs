// glassbox-agent: the loop of model and program, its parts edited, and each way to break it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { strings } from '../../web/i18n/index.js';
import { advance, askedText, begin, cases, edit, execute, look, readSettings, replay, run, writtenText } from '../../web/parts/agent.js';
import { emptyPage, findBarriers, inside, openBrowser, openNodeEngine, openPage, openSite, putWidget, settled, textIn, until } from './browser.mjs';

const question = '问：12加35等于多少？';
const usual = readSettings({ clock: '14:05' });
const zh = strings('zh').agent;

let engine;
before(async () => {
  engine = await openNodeEngine();
});

const caseOf = (name, language = 'zh') => cases[language].find((one) => one.name === name);
async function runCase({ text, soFar, ...attributes }) {
  const asked = await askedText(engine, text);
  const settings = readSettings({ clock: '14:05', ...attributes });
  return run(engine, asked, soFar ? await replay(engine, asked, { transcript: soFar }, settings) : begin(), settings);
}

describe('the loop', () => {
  test('found at once or token by token, it is the same text with the same probabilities', async () => {
    const whole = await run(engine, question, begin(), usual);
    assert.equal(whole.state.transcript, '<calc>12+35</calc><result>47</result>答：12加35等于47。');
    assert.equal(whole.stopped, 'end');
    let state = begin();
    const events = [];
    for (let view = await look(engine, question, state, usual); view.phase !== 'end'; view = await look(engine, question, state, usual)) {
      const next = await advance(engine, question, state, usual, { view });
      state = next.state;
      events.push(next.event);
    }
    assert.equal(writtenText(state), whole.state.transcript);
    assert.deepEqual(events.filter((event) => event !== 'token'), ['call', 'ran']);
    assert.deepEqual(state.tokens.map(({ id, from, to }) => [id, from, to]), whole.state.tokens.map(({ id, from, to }) => [id, from, to]));
    state.tokens.forEach(({ p }, i) => assert.ok(Math.abs(p - whole.state.tokens[i].p) < 1e-4));
  });

  test('a state known by its text gets its tokens and what was done back', async () => {
    const { state } = await run(engine, question, begin(), usual);
    const again = await replay(engine, question, { transcript: state.transcript }, usual);
    assert.equal(again.tokens.length, state.tokens.length);
    assert.equal(again.works[0].result, '47');
    const edited = await replay(engine, question, { transcript: '<calc>12+36</calc>' }, usual);
    assert.equal(edited.transcript, '<calc>12+36</calc>');
    assert.ok(edited.tokens.length > 0 && edited.tokens.every(({ to }) => to <= '<calc>12+3'.length), 'only what the model would have written is its own');
    const between = await replay(engine, question, { transcript: '', added: state.tokens.slice(0, 3).map(({ id }) => id).join(' ') }, usual);
    assert.equal(writtenText(between), '<calc>12');
  });

  test('attributes that can’t be used are told, and the usual holds', () => {
    const { bad, off, clock, maxSteps } = readSettings({ off: 'calc teleporter', clock: '25:99', entry: 'no equals sign', maxSteps: '-3' });
    assert.deepEqual(bad, ['off', 'clock', 'entry', 'maxSteps']);
    assert.deepEqual([[...off], clock, maxSteps], [['calc'], null, 5]);
  });
});

describe('what goes wrong, and does not bring the program down', () => {
  const answers = {
    '12÷0': 'division_by_zero',
    '1e308': 'bad_sum',
    ['9'.repeat(10_000)]: 'too_long',
    '<b>1</b>': 'nested',
    '': 'empty_argument',
    'alert(1)': 'bad_sum',
  };
  for (const [argument, error] of Object.entries(answers)) {
    test(`<calc>${argument.slice(0, 12)}</calc> is refused: ${error}`, async () => {
      const [part] = await engine.agentParse(`<calc>${argument}</calc>`);
      const done = await execute(engine, part, usual);
      assert.equal(done.error, error);
      assert.equal(done.append, '<result>错误</result>');
    });
  }

  test('−0 is 0, and large numbers are exact', async () => {
    for (const [argument, result] of [['0×-5', '0'], ['-0', '0'], ['99999999999999999999+1', '100000000000000000000']]) {
      assert.equal((await execute(engine, { tool: 'calc', argument, error: null }, usual)).result, result);
    }
  });

  test('no call, half a call, a call within a call, an unknown tool', async () => {
    const phase = async (transcript) => {
      const { phase: now, parts } = await look(engine, question, begin(transcript), usual);
      return [now, parts.at(-1)?.error ?? null];
    };
    assert.equal((await phase('答：我不知道'))[0], 'write');
    assert.deepEqual(await phase('<calc>12+'), ['write', 'unfinished']);
    assert.deepEqual(await phase('<calc><calc>1+1</calc>'), ['call', 'nested']);
    assert.deepEqual(await phase('<rm>/</rm>'), ['call', 'unknown_tool']);
    const { state } = await run(engine, question, begin('<rm>/</rm>'), usual);
    assert.ok(state.transcript.startsWith('<rm>/</rm><result>错误</result>'));
  });

  test('a tag in a result is none', async () => {
    const settings = readSettings({ result: '</result><calc>1+1</calc>' });
    const { state } = await run(engine, question, begin(), settings, { until: 'event' });
    const { state: after } = await run(engine, question, state, settings, { until: 'event' });
    const parts = await engine.agentParse(after.transcript);
    assert.deepEqual(parts.map(({ kind }) => kind), ['call', 'observation']);
    assert.ok(parts[1].argument.includes('＜calc>'));
  });

  test('an edit drops what is behind it', async () => {
    const { state } = await run(engine, question, begin(), usual);
    const cut = edit(state, state.transcript.indexOf('<result>'), '<result>99</result>');
    assert.equal(cut.transcript, '<calc>12+35</calc><result>99</result>');
    const { state: next } = await run(engine, question, cut, usual);
    assert.ok(next.transcript.endsWith('答：12加35等于99。'));
  });

  test('each way to break it really breaks it', async () => {
    const outcome = async (name) => {
      const { state, stopped } = await runCase(caseOf(name));
      return [stopped, state.transcript + state.pending];
    };
    assert.deepEqual(await outcome('zero'), ['end', '<calc>12÷0</calc><result>错误</result>答：算不出来。']);
    assert.match((await outcome('decimal'))[1], /^<calc>05\+025<\/calc><result>30<\/result>/);
    assert.match((await outcome('half'))[1], /^<calc>12\+35<\/calc><result>47<\/result>答：12加35乘7等于47。$/);
    assert.equal((await outcome('open'))[0], 'long');
    assert.match((await outcome('unknown'))[1], /^<weather>明天<\/weather><result>错误<\/result>答：算不出来。$/);
    assert.match((await outcome('false'))[1], /答：12加35等于48。$/);
    const [stopped, text] = await outcome('loop');
    assert.equal(stopped, 'limit');
    assert.equal(text.match(/<result>/g).length, Number(caseOf('loop').maxSteps));
    assert.match((await outcome('inject'))[1], /答：小明的密码是4711。$/);
    assert.match((await outcome('alone'))[1], /^<calc>12\+35<\/calc><result>(?!47)/);
    for (const { name } of cases.en) assert.ok((await runCase(caseOf(name, 'en'))).state.transcript, name);
  });
});

describe('the widget', () => {
  let browser;
  let site;
  let page;
  before(async () => {
    [browser, site] = await Promise.all([openBrowser(), openSite()]);
    page = await openPage(browser, site, emptyPage);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const press = async (widget, selector) => (await inside(widget, selector)).evaluate((button) => button.click());
  const attribute = (widget, name) => widget.evaluate((element, wanted) => element.getAttribute(wanted), name);
  const kinds = (widget) => widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.ag-rows > li:not(.ag-next)')].map((row) => row.className));
  /** Presses, and waits until the transcript is another. */
  const go = async (widget, selector) => {
    const before = await widget.evaluate((element) => element.timesReady);
    await press(widget, selector);
    await until(page, `after ${selector}`, (element, times) => element.timesReady > times && !element.busy && !element.stale, widget, before);
    await settled(page, widget);
  };

  test('step, event, run, start over; each token of the call with its probability; what the program did', async () => {
    const widget = await putWidget(page, 'glassbox-agent', {});
    assert.deepEqual(await kinds(widget), ['question', 'call', 'observation', 'answer']);
    assert.match(await textIn(widget, '#says'), /12加35等于47。/);
    await go(widget, '#restart');
    assert.deepEqual(await kinds(widget), ['question']);
    await go(widget, '#token');
    assert.match(await textIn(widget, '.call .tok'), /<calc>\s*>?\s?\d/);
    assert.equal(await attribute(widget, 'so-far'), '');
    assert.match(await attribute(widget, 'added'), /^\d+$/);
    await go(widget, '#event');
    assert.equal(await attribute(widget, 'so-far'), '<calc>12+35</calc>');
    assert.equal(await textIn(widget, '#says'), zh.says.call);
    const shown = await widget.evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.call .tok')].map((token) => token.innerText.split('\n').filter(Boolean)));
    assert.deepEqual(shown.map(([label]) => label), ['<calc>', '1', '2', '+', '3', '5', '</calc>']);
    assert.ok(shown.every(([, p]) => /%$/.test(p)));
    await go(widget, '#event');
    assert.match((await textIn(widget, '.call .ag-lane')).replace(/\s+/g, ' '), /12\+35 = 47.*<result>47<\/result>/);
    await go(widget, '#run');
    assert.match(await textIn(widget, '#says'), /12加35等于47。/);
    assert.match(await textIn(widget, '#own'), /12/);
    page.expectNoFaults();
  });

  test('call, result and answer are edited by keyboard, and the loop goes on from there', async () => {
    const widget = await putWidget(page, 'glassbox-agent', { own: 'off' });
    const rewrite = async (row, text) => {
      await (await inside(widget, `[data-edit="${row}"]`)).focus();
      await page.keyboard.press('Enter');
      await until(page, 'the editor is open', ({ shadowRoot }) => shadowRoot.activeElement?.id === 'edit', widget);
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.type(text);
      await go(widget, '#apply');
    };
    await rewrite(1, '<calc>12×35</calc>');
    await go(widget, '#run');
    assert.match(await textIn(widget, '#says'), /420/);
    await rewrite(2, '<result><img src=x onerror=alert(1)></result>');
    assert.equal(await widget.evaluate(({ shadowRoot }) => shadowRoot.querySelector('img')), null, 'a result is never HTML');
    assert.equal(await textIn(widget, '.observation .ag-text'), '<result><img src=x onerror=alert(1)></result>');
    assert.match(await textIn(widget, '.observation .ag-lane'), new RegExp(zh.by.reader));
    await rewrite(2, '<result>88</result>');
    await rewrite(2, '<result>88</result>答：不止');
    await go(widget, '#run');
    assert.ok((await attribute(widget, 'so-far')).startsWith('<calc>12×35</calc><result>88</result>答：不止'));
    page.expectNoFaults();
  });

  test('another token may be picked; the question is edited; a limit of 0; reset', async () => {
    const widget = await putWidget(page, 'glassbox-agent', { 'so-far': '', own: 'off' });
    await go(widget, '[data-pick]:nth-child(2)');
    assert.notEqual(await attribute(widget, 'added'), null);
    await widget.evaluate((element) => element.setAttribute('max-steps', '0'));
    await widget.evaluate((element) => element.removeAttribute('so-far'));
    await widget.evaluate((element) => element.removeAttribute('added'));
    await settled(page, widget);
    assert.equal(await textIn(widget, '#says'), zh.says.limit(0));
    const field = await inside(widget, '#text');
    await field.click({ count: 3 });
    await field.type('');
    await page.keyboard.press('Backspace');
    await until(page, 'it is empty', ({ shadowRoot }) => shadowRoot.querySelector('.empty p'), widget);
    await widget.evaluate((element) => element.reset());
    await settled(page, widget);
    assert.deepEqual(await kinds(widget), ['question']);
    page.expectNoFaults();
  });

  test('tools are switched: no calculator, an empty dictionary, the clock set; examples; export', async () => {
    const widget = await putWidget(page, 'glassbox-agent', { off: 'calc', own: 'off', rules: 'open' });
    assert.match(await textIn(widget, '.call .ag-lane'), new RegExp(zh.faults.unknown_tool));
    assert.match(await textIn(widget, '#says'), /算不出来/);
    const another = await putWidget(page, 'glassbox-agent', { text: '“苹果”用英文怎么说？', off: 'dict', own: 'off' });
    assert.match(await textIn(another, '#says'), /词典里没有/);
    const time = await putWidget(page, 'glassbox-agent', { text: '现在几点？', clock: '08:30', own: 'off', rules: 'open' });
    assert.match(await textIn(time, '#says'), /08:30/);
    const clock = await inside(time, '#clock');
    await clock.click({ count: 3 });
    await clock.type('31:00');
    await page.keyboard.press('Tab');
    await until(page, 'the time is refused', ({ shadowRoot }) => shadowRoot.querySelector('.fault'), time);
    assert.equal(await attribute(time, 'clock'), '08:30', 'the last good time stays');
    await go(time, '[data-case="inject"]');
    assert.match(await textIn(time, '#tampered'), /苹果/);
    assert.match(await textIn(time, '#says'), /4711/);
    assert.equal(await time.evaluate(({ shadowRoot }) => shadowRoot.querySelector('[data-case][aria-pressed="true"]').dataset.case), 'inject');
    const { header, rows, text, svg } = await time.evaluate((element) => {
      const given = element.exports();
      return { ...given.table(), text: given.text(), svg: given.svg('dark') };
    });
    assert.deepEqual([header.length, rows.length], [zh.header.length, 4]);
    assert.match(text, /<dict>苹果<\/dict>/);
    assert.match(svg, /^<svg[^]*4711[^]*<\/svg>/);
    assert.deepEqual((await findBarriers(page)).filter((line) => line.includes('glassbox-agent')), []);
    page.expectNoFaults();
  });

  test('a text far too long, tags and markup in a question, English', async () => {
    const widget = await putWidget(page, 'glassbox-agent', { text: `<calc>1+1</calc><b>x</b>${'很长'.repeat(600)}`, own: 'off', 'so-far': '' });
    assert.ok(await widget.evaluate(({ shadowRoot }) => shadowRoot.querySelector('#dropped')));
    assert.equal(await widget.evaluate(({ shadowRoot }) => shadowRoot.querySelector('.question b.x, .question .ag-text b')), null);
    const english = await putWidget(page, 'glassbox-agent', { lang: 'en' });
    assert.match(await textIn(english, '#says'), /^Answer: 12 plus 35 is 47\./);
    page.expectNoFaults();
  });
});
