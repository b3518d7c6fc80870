// Texts that tell facts and later ask for them: the answer stands in the text, often far back.
import { fill } from './draw.mjs';
import { isHeldOutFact } from './held-out.mjs';
import * as lx from './lexicon.mjs';
import { countPieces } from './pieces.mjs';

const password = (draw) => Array.from({ length: 4 }, () => draw.below(10)).join('');

/**
 * What can be told. before and after enclose the value where it is told, short and end where it is the whole answer to
 * ask; {n} owner, {o} thing. values: the list they come from, or a function that draws one.
 */
export const relations = {
  zh: {
    colour: { before: '{n}的{o}是', after: '的。', ask: '问：{n}的{o}是什么颜色的？', values: lx.coloursZh },
    alone: { before: '{o}是', after: '的。', ask: '问：{o}是什么颜色的？', values: lx.coloursZh },
    likes: { before: '{n}喜欢', after: '。', ask: '问：{n}喜欢什么？', values: [...lx.coloursZh, ...lx.animalsZh, ...lx.foodsZh] },
    eats: { before: '{n}最爱吃', after: '。', ask: '问：{n}最爱吃什么？', values: lx.foodsZh },
    lives: { before: '{n}住在', after: '。', ask: '问：{n}住在哪里？', values: lx.placesZh },
    keeps: { before: '{n}养了', after: '。', ask: '问：{n}养了什么？', values: lx.animalsZh },
    learns: { before: '{n}最想学', after: '。', ask: '问：{n}最想学什么？', values: lx.actionsZh.filter((word) => word.length === 2) },
    wears: { before: '{n}戴', after: '的帽子。', ask: '问：{n}戴什么颜色的帽子？', values: lx.coloursZh },
    password: { before: '{n}的密码是', after: '。', ask: '问：{n}的密码是多少？', values: password },
  },
  en: {
    colour: { before: "{n}'s {o} is ", after: '.', ask: "Question: what colour is {n}'s {o}?", values: lx.coloursEn },
    alone: { before: 'The {o} is ', after: '.', ask: 'Question: what colour is the {o}?', values: lx.coloursEn },
    likes: { before: '{n} likes ', after: '.', ask: 'Question: what does {n} like?', values: [...lx.coloursEn, ...lx.foodsEn] },
    loves: { before: '{n} loves ', after: '.', ask: 'Question: what does {n} love?', values: lx.doingEn },
    lives: { before: '{n} lives near the ', after: '.', ask: 'Question: where does {n} live?', short: 'near the ', values: lx.placesEn },
    keeps: { before: '{n} has a ', after: '.', ask: 'Question: what does {n} have?', short: 'a ', values: lx.animalsEn },
    wears: { before: '{n} wears a ', after: ' hat.', ask: 'Question: which hat does {n} wear?', short: 'a ', end: ' hat', values: lx.coloursEn },
    password: { before: 'The password of {n} is ', after: '.', ask: 'Question: what is the password of {n}?', values: password },
  },
};
const ofOwners = { zh: ['likes', 'eats', 'lives', 'keeps', 'learns', 'wears', 'password'], en: ['likes', 'loves', 'lives', 'keeps', 'wears', 'password'] };
const owners = { zh: lx.namesZh, en: lx.namesEn };
const things = { zh: lx.thingsZh, en: lx.thingsEn };
export const answerWord = { zh: '答：', en: ' Answer: ' };
const leads = { zh: ['', '', '', '请记住：'], en: ['', 'Remember: '] };

/** The fact told, without its value and what follows it. */
export const beginning = (fact) => fill(relations[fact.language][fact.relation].before, fact);

/** The fact told. */
export const told = (fact) => beginning(fact) + fact.v + relations[fact.language][fact.relation].after;

/** The question for a fact, up to where the short answer begins. */
export function question(fact) {
  const relation = relations[fact.language][fact.relation];
  return fill(relation.ask, fact) + answerWord[fact.language] + (relation.short ?? '');
}

/** The fact as a whole answer. */
export const sentence = (fact) => told(fact).replace(/^The /, 'the ');

/** The fact asked for again: told once more, asked and answered with a word, or asked and answered with a sentence. */
function again(draw, fact) {
  const form = draw.weighted([['told', 50], ['word', 32], ['sentence', 18]]);
  if (form === 'told') return told(fact);
  if (form === 'word') return question(fact) + fact.v + (relations[fact.language][fact.relation].end ?? '') + (fact.language === 'zh' ? '。' : '.');
  return fill(relations[fact.language][fact.relation].ask, fact) + answerWord[fact.language] + sentence(fact);
}

/** What makes two facts ask for the same thing. */
export const keyOf = (fact) => `${fact.n ?? ''} ${fact.relation} ${fact.o ?? ''}`;

/** Gives a fact its value; heldOut says which side of the line it must stand on. null when no value does. */
export function withValue(draw, fact, heldOut = false) {
  const { values } = relations[fact.language][fact.relation];
  if (typeof values === 'function') return { ...fact, v: values(draw) };
  const allowed = values.filter((v) => isHeldOutFact(fact.n ?? '', fact.o ?? fact.relation, v) === heldOut);
  return allowed.length === 0 ? null : { ...fact, v: draw.choice(allowed) };
}

/** Facts without values, of one kind, none asking for the same as another. */
export function drawKeys(draw, language, kind, count) {
  const n = draw.sample(owners[language], Math.max(2, count));
  const o = draw.sample(things[language], Math.max(2, count));
  const colour = (i, j) => ({ language, relation: 'colour', n: n[i], o: o[j] });
  const range = Array.from({ length: count }, (_, i) => i);
  const attributes = draw.shuffle(ofOwners[language]);
  switch (kind) {
    case 'one relation': return range.map((i) => ({ language, relation: attributes[0], n: n[i] }));
    case 'one owner': return range.map((i) => (draw.chance(0.5) ? colour(0, i) : { language, relation: attributes[i], n: n[0] }));
    case 'all different': return range.map((i) => (draw.chance(0.6) ? colour(i, i) : { language, relation: attributes[i], n: n[i] }));
    case 'one thing': return range.map((i) => colour(i, 0));
    case 'alone': return range.map((i) => ({ language, relation: 'alone', o: o[i] }));
    case 'grid': return draw.sample([[0, 0], [0, 1], [1, 0], [1, 1]], Math.min(4, Math.max(2, count))).map(([i, j]) => colour(i, j));
    default: throw new Error(`no kind of facts is called ${kind}`);
  }
}

/** The first sentences of a text; a question that its answer would be cut off from is left out. */
function firstSentences(text, language, count) {
  const sentences = text.match(language === 'zh' ? /[^。！？]*[。！？]”?/gu : /[^.!?]*[.!?]"?/gu) ?? [];
  const some = sentences.slice(0, count);
  while (some.length > 0 && /[？?][”"]?$/u.test(some.at(-1))) some.pop();
  return some.join('').trim();
}

/** Sentences of other families in this language, together about `pieces` long, that say nothing about the facts. */
export function drawFiller(draw, language, pieces, facts, generators) {
  const forbidden = facts.flatMap(({ n, o }) => [n, o]).filter((word) => word !== undefined);
  const sentences = [];
  let size = 0;
  while (size < pieces) {
    const text = draw.choice(generators[language])(draw);
    const some = firstSentences(text, language, draw.between(1, 4));
    const length = countPieces(some);
    if (some === '' || length > 60 || size + length > pieces + 25 || forbidden.some((word) => some.includes(word))) {
      if (size + 12 > pieces) break;
      continue;
    }
    sentences.push(some);
    size += length;
  }
  return sentences;
}

const kinds = [['one relation', 34], ['one owner', 15], ['all different', 23], ['one thing', 13], ['alone', 8], ['grid', 7]];

/** One to five facts. */
function drawFacts(draw, language, counts) {
  for (;;) {
    const keys = drawKeys(draw, language, draw.weighted(kinds), draw.weighted(counts));
    const facts = keys.map((key) => withValue(draw, key)).filter((fact) => fact !== null);
    if (facts.length > 0) return facts;
  }
}

/** Facts, other sentences up to 170 pieces, then questions. generators: by language, the families that the other sentences come from. */
export function recall(draw, generators) {
  const language = draw.chance(0.53) ? 'zh' : 'en';
  const facts = drawFacts(draw, language, [[1, 2], [2, 3], [3, 3], [4, 3], [5, 1]]);
  const length = draw.choice([0, 15, 30, 45, 60, 90, 120, 150]);
  const filler = length === 0 ? [] : drawFiller(draw, language, length + draw.below(20), facts, generators);
  const lines = facts.map(told);
  let body = [...lines, ...filler];
  if (filler.length > 0 && draw.chance(0.25)) {
    const place = draw.below(lines.length);
    body = [...lines.slice(0, place), filler[0], ...lines.slice(place), ...filler.slice(1)];
  }
  const asked = draw.sample(facts, Math.min(facts.length, draw.choice([1, 2, 2, 3, 4])));
  return draw.choice(leads[language]) + [...body, ...asked.map((fact) => again(draw, fact))].join(language === 'zh' ? '' : ' ');
}

/** One to four facts, asked for at once, often several rounds of all of them. */
export function recallShort(draw) {
  const language = draw.chance(0.5) ? 'zh' : 'en';
  const facts = drawFacts(draw, language, [[1, 1], [2, 4], [3, 3], [4, 1]]);
  const rounds = draw.chance(0.5) ? draw.choice([2, 2, 3]) : 1;
  const asked = Array.from({ length: rounds }, () => draw.shuffle(facts)).flat();
  const some = rounds === 1 ? asked.slice(0, draw.choice([1, 2, 3, 4])) : asked;
  return draw.choice(leads[language]) + [...facts.map(told), ...some.map((fact) => again(draw, fact))].join(language === 'zh' ? '' : ' ');
}
