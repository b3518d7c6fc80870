// A state of the loop made ready to be shown: the same in the widget, in drawings and in tables.
import { tokenLabel } from '../draw/label.js';
import { formatPercent } from '../draw/number.js';
import { answerOf, rowsOf, usualSteps } from './agent.js';
import { laneOf, tamperedWith, writerOf } from './agent-words.js';

/** → { rows, lanes, names, tampered, sentence }. stopped: why a run ended, or null. */
export function agentView({ question, asked, state, view, stopped = null, settings, words }) {
  const rows = rowsOf({ question, asked, state, view });
  const lanes = rows.map((row, i) => laneOf(row, { words, settings, phase: view.phase, used: view.used, last: i === rows.length - 1, given: stopped === 'long' }));
  const names = rows.map((row) => `${words.kinds[row.kind]} · ${words.who[writerOf(row)]}`);
  return { rows, lanes, names, tampered: tamperedWith(settings, words, usualSteps), sentence: sentenceOf({ state, view, stopped, words }) };
}

function sentenceOf({ state, view, stopped, words }) {
  const { says } = words;
  if (view.phase === 'end') return says.end(answerOf(view.parts), state.tokens.length, state.works.length);
  if (view.phase === 'limit') return says.limit(view.used);
  if (stopped === 'long') return says.long(runLength(state));
  if (stopped === 'result') return says.result;
  if (view.phase === 'call') return says.call;
  const { token, bytes, p } = view.preview.chosen;
  return says.write(tokenLabel(token, bytes), formatPercent(p));
}

/** Tokens that the model has written since the runtime last did anything. */
function runLength({ tokens, works, transcript }) {
  const last = works.at(-1);
  const from = last ? transcript.indexOf(last.append, last.from) + last.append.length : 0;
  return tokens.filter((token) => token.from >= from).length;
}

/** A part a row, for other programs. */
export function agentTable({ rows, lanes, words }) {
  return {
    header: words.header,
    rows: rows.map((row, i) => [
      i + 1,
      words.who[writerOf(row)],
      words.kinds[row.kind],
      row.text,
      row.tool ?? '',
      row.kind === 'question' ? '' : row.argument ?? '',
      lanes[i].map(({ text }) => text).join(' / '),
      (row.pieces ?? []).filter(({ token }) => token).map(({ token }) => `${token.token} ${token.p.toPrecision(4)}`).join('  '),
    ]),
  };
}
