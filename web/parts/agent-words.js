// What the runtime did, in words: the same in the widget, in drawings and in tables. words: strings of `agent`.

/**
 * What the runtime has to say of a row of rowsOf → [{ name, text, bad }]; phase and used of the view, for the call that is last; given: whether the runtime has given up.
 */
export function laneOf(row, { words, settings, phase, used, last, given = false }) {
  if (row.kind === 'question') return row.before || row.after ? [{ name: words.wrote, text: words.prefixed(row.before, row.after) }] : [];
  if (row.kind === 'observation') return row.by === 'runtime' ? [] : [{ name: '', text: words.by[row.by], bad: true }];
  if (row.kind !== 'call') return [];
  if (row.open) {
    if (settings.off.has('runtime')) return [];
    // While the model may still write its end there is nothing wrong with it.
    const coming = last && phase === 'write' && !given;
    return [{ name: words.read, text: coming ? words.laneReads : words.faults.unfinished, bad: !coming }];
  }
  const { tool, argument, work } = row;
  if (settings.off.has('runtime') && !work) return [{ name: '', text: words.laneOff, bad: true }];
  const lines = [{ name: words.read, text: words.reads(tool, argument) }];
  if (!work) {
    if (last && phase === 'limit') return [...lines, { name: words.done, text: words.laneLimit(used), bad: true }];
    return [...lines, { name: '', text: last ? words.laneWaits : words.laneEdited, bad: !last }];
  }
  const { result, error, append, forced } = work;
  let did = words.faults[error];
  if (forced) did = words.forces(result);
  else if (!error) did = tool === 'calc' ? words.calculates(argument, result) : tool === 'clock' ? words.tells(result) : words.looksUp(argument, result);
  return [...lines, { name: words.done, text: did ?? result, bad: Boolean(error) || forced }, { name: words.wrote, text: append }];
}

/** Who wrote a row: reader, model or runtime. */
export function writerOf(row) {
  if (row.kind === 'question') return 'reader';
  if (row.kind === 'observation') return row.by;
  return row.pieces.some(({ token }) => token) ? 'model' : 'reader';
}

/** What was meddled with, in sentences. */
export function tamperedWith(settings, words, usualSteps) {
  const { tampered } = words;
  return [
    ...['runtime', 'calc', 'clock', 'dict'].filter((name) => settings.off.has(name)).map((name) => tampered[name]),
    ...(settings.clock && !settings.off.has('clock') ? [tampered.set(settings.clock)] : []),
    ...(settings.entry && !settings.off.has('dict') ? [tampered.entry(settings.entry.word, settings.entry.meaning)] : []),
    ...(settings.result !== null ? [tampered.result(settings.result)] : []),
    ...(settings.maxSteps === usualSteps ? [] : [tampered.steps(settings.maxSteps)]),
  ];
}

/** The transcript as plain text, a part a line, with what the program did. lanes: of laneOf, one a row. */
export function transcriptText(rows, lanes, words) {
  return rows
    .map((row, i) => {
      const name = `${words.kinds[row.kind]} (${words.who[writerOf(row)]}): ${row.text}`;
      return [name, ...lanes[i].map((line) => `    ${[words.lane, line.name].filter(Boolean).join(' · ')}: ${line.text}`)].join('\n');
    })
    .join('\n');
}
