// An agent's whole run over the calls of EngineClient or EngineSession, as the native command does it.

/**
 * Asks the model, and does what it calls for, until it has answered.
 * @param engine an EngineClient or an EngineSession
 * @param {object} options maxSteps: at most so many calls are done; maxTokens: at most so many tokens from one call to the next; model, clock and dictionary
 *   as in agentCall; onStep hears each answer of agentStep
 * @returns {Promise<{question, transcript, steps, answer, stopped}>} steps as of agentParse; stopped: `answer`, `max_steps`, `max_tokens`, `unfinished` (the
 *   model ended inside a call) or `result` (it began to make a result up); answer is null unless it came to one
 */
export async function runAgent(engine, text, { maxSteps = 5, maxTokens = 100, model = 'builtin', clock, dictionary, onStep } = {}) {
  const question = await engine.agentQuestion(text);
  let transcript = '';
  for (let done = 0; ; done += 1) {
    const added = [];
    let step = { stop: null, text: '' };
    while (step.stop === null && added.length < maxTokens) {
      step = await engine.agentStep({ question, transcript, added, model, top: onStep ? 10 : 1 });
      onStep?.(step);
      added.push(step.chosen.id);
    }
    transcript += step.text;
    const steps = await engine.agentParse(transcript);
    const last = steps.at(-1);
    const finish = (stopped) => ({
      question, transcript, steps, stopped,
      answer: stopped === 'answer' ? (last?.kind === 'answer' ? last.text.replace(/^(答：|Answer: )/, '') : '') : null,
    });
    if (step.stop === null) return finish('max_tokens');
    if (step.stop === 'result') return finish('result');
    if (step.stop === 'end') return finish(last?.error === 'unfinished' ? 'unfinished' : 'answer');
    if (done === maxSteps) return finish('max_steps');
    transcript += (await engine.agentCall(last, { model, clock, dictionary })).append;
  }
}
