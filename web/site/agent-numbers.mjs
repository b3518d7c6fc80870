// Functions for expressions in prose about the agent. See numbers.mjs.
import { readFile } from 'node:fs/promises';
import { alone, answerOf, askedText, begin, cases, readSettings, replay, run } from '../parts/agent.js';
import { remember } from './number-asks.mjs';
import { fail } from './number-values.mjs';

async function settle(engine, { text, soFar, ...attributes }) {
  const asked = await askedText(engine, text);
  const settings = readSettings(attributes);
  const from = soFar ? await replay(engine, asked, { transcript: soFar }, settings) : begin();
  const { state, view, stopped } = await run(engine, asked, from, settings);
  const calls = view.parts.filter(({ kind }) => kind === 'call');
  return {
    question: asked,
    transcript: state.transcript + state.pending,
    calls: calls.map(({ argument }) => argument),
    tools: calls.map(({ tool }) => tool),
    results: view.parts.filter(({ kind }) => kind === 'observation').map(({ argument }) => argument),
    errors: state.works.map(({ error }) => error ?? ''),
    answer: answerOf(view.parts) ?? '',
    stopped,
    tokens: state.tokens.length,
    first: state.tokens[0] ? { token: state.tokens[0].token, p: state.tokens[0].p } : { token: '', p: 0 },
    least: Math.min(1, ...state.tokens.map(({ p }) => p)),
  };
}

let evaluation = null;
const readEvaluation = () => (evaluation ??= readFile(new URL('../models/builtin/evaluation.json', import.meta.url), 'utf8').then(JSON.parse));

export const agentLibrary = {
  /**
   * agent(question): the loop of glassbox-agent to its end → { question, transcript, calls: the arguments, tools, results, errors: of the calls that were done, "" where all went well, answer,
   * stopped: end, limit, long or result, tokens: how many the model wrote, first: { token, p }, least: the lowest probability of any }.
   */
  agent: [['text'], (engine, text) => remember(engine, `run ${text}`, () => settle(engine, { text, clock: '14:05' }))],
  /** agentCase(name): the same for one of the widget's Chinese examples, meddled with as it is there. */
  agentCase: [['text'], (engine, name) =>
    remember(engine, `case ${name}`, () => settle(engine, { clock: '14:05', ...(cases.zh.find((one) => one.name === name) ?? fail(`there is no example ${name}`)) }))],
  /** caseOf(name): that example's { text, soFar, entry, result, off, maxSteps }. */
  caseOf: [['text'], (_, name) => {
    const { text, soFar = '', entry = '', result = '', off = '', maxSteps = '' } = cases.zh.find((one) => one.name === name) ?? fail(`there is no example ${name}`);
    return { text, soFar, entry, result, off, maxSteps };
  }],
  /** unaided(question): what is written when no program reads the calls → { result, p: of its first token, answer, text }. */
  unaided: [['text'], (engine, text) =>
    remember(engine, `alone ${text}`, async () => {
      const { result, p, answer, text: all } = await alone(engine, await askedText(engine, text));
      return { result: result ?? '', p: p ?? 0, answer: answer ?? '', text: all };
    })],
  /** ownSums(): held-out sums of two-digit numbers whose result the model had to write itself, as the model card has it → { count, right: share }. */
  ownSums: [[], async () => {
    const { count, right } = (await readEvaluation()).own_sums;
    return { count, right };
  }],
  /** measured(name): a behaviour of the model card → { measured: share, count }. */
  measured: [['text'], async (_, name) => {
    const { measured, count } = (await readEvaluation()).groups.find((group) => group.name === name) ?? fail(`nothing called ${name} was measured`);
    return { measured, count };
  }],
};
