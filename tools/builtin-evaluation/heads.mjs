// What each head looks at, and what knocking it out does to the pronoun.
import { Draw } from '../builtin-corpus/draw.mjs';
import { animalsZh, crossingsZh, objectsZh, tokensEn } from '../builtin-corpus/lexicon.mjs';
import { kitten } from './prompts.mjs';
import { largest, mean, slice } from './runner.mjs';

const plainTexts = [
  'Once upon a time, a kind cat lived near the station. The cat was called Lucy.', '从前，市场住着一只善良的小狗，大家叫它球球。', '小猫没有跳上桌子，因为它太累了。',
  'Thank you very much for your help. You are welcome.',
];
const rounds = 8;
const listLength = 24;

const nameOf = ({ layer, head }) => `h.${layer}.${head}`;

/** Attention weights of all heads over a text → {ids, weights(layer, head, row) (T)}. */
async function attention(runner, text) {
  const { ids, activations } = await runner.trace(text, Array.from({ length: runner.layers }, (_, layer) => `h.${layer}.attn.weights`));
  return { ids, weights: (layer, head, row) => slice(activations[`h.${layer}.attn.weights`], head, row) };
}

/** Share right, mean probability of the right noun and share of the other noun, with parts knocked out. */
async function score(runner, items, knockout = '') {
  const rows = [];
  for (const { prompt, right, other } of items) {
    const p = await runner.probabilities(prompt, knockout);
    const best = largest(p);
    rows.push({ right: best === right, p: p[right], other: best === other });
  }
  return { accuracy: mean(rows.map((row) => row.right)), p: mean(rows.map((row) => row.p)), other: mean(rows.map((row) => row.other)) };
}

/** Pronoun items as they are in behaviours.json → with the ids of both nouns. */
async function withNouns(runner, items) {
  const results = [];
  for (const { prompt, expect } of items) {
    const other = [...animalsZh, ...objectsZh, ...crossingsZh].find((noun) => noun !== expect && prompt.includes(noun));
    results.push({ prompt, right: await runner.first(expect), other: await runner.first(other) });
  }
  return results;
}

/** pronouns: the items of the form 「…太累的是」. */
export async function measureHeads(runner, pronouns) {
  const heads = Array.from({ length: runner.layers * runner.heads }, (_, i) => ({ layer: Math.floor(i / runner.heads), head: i % runner.heads }));
  const each = async (texts, look) => {
    const sums = heads.map(() => ({}));
    for (const text of texts) {
      const { ids, weights } = await attention(runner, text.prompt ?? text);
      heads.forEach(({ layer, head }, i) => {
        for (const [key, value] of Object.entries(look(ids, (row) => weights(layer, head, row), text))) sums[i][key] = (sums[i][key] ?? 0) + value / texts.length;
      });
    }
    return sums;
  };

  const draw = new Draw(11);
  const lists = Array.from({ length: rounds }, () => {
    const words = draw.sample(tokensEn, listLength);
    return [...words, ...words].map((word) => ` ${word}`).join('');
  });
  const onLists = await each(lists, (ids, row) => {
    const once = ids.length / 2;
    const later = ids.slice(once).map((_, i) => once + i);
    return { previous_token: mean(later.map((at) => row(at)[at - 1])), induction: mean(later.map((at) => row(at)[at - once + 1])) };
  });
  const onPlain = await each(plainTexts, (ids, row) => ({ first_token: mean(ids.slice(3).map((_, i) => row(i + 3)[0])) }));
  const items = await withNouns(runner, pronouns);
  const onPronouns = await each(items, (ids, row, { right, other }) => {
    const last = row(ids.length - 1);
    const adjective = ids.at(-2);
    return { right_noun: last[ids.indexOf(right)], other_noun: last[ids.indexOf(other)], adjective: ids.reduce((sum, id, i) => sum + (id === adjective ? last[i] : 0), 0) };
  });

  const nouns = { cat: await runner.first('小猫'), table: await runner.first('桌子') };
  const sentences = { tired: kitten('累'), high: kitten('高') };
  const answers = async (knockout) => {
    const result = {};
    for (const [key, text] of Object.entries(sentences)) {
      const p = await runner.probabilities(text, knockout);
      result[key] = { cat: p[nouns.cat], table: p[nouns.table] };
    }
    return result;
  };
  const kittenWeights = await Promise.all(Object.entries(sentences).map(async ([key, text]) => [key, await attention(runner, text)]));
  const measured = [];
  for (const [i, place] of heads.entries()) {
    const looks = Object.fromEntries(kittenWeights.map(([key, { ids, weights }]) => {
      const last = weights(place.layer, place.head, ids.length - 1);
      return [key, { cat: last[ids.indexOf(nouns.cat)], table: last[ids.indexOf(nouns.table)] }];
    }));
    measured.push({
      ...place, ...onLists[i], ...onPlain[i], ...onPronouns[i], kitten: looks,
      knocked_out: { ...(await score(runner, items, nameOf(place))), kitten: await answers(nameOf(place)) },
    });
  }

  const layers = [];
  for (let layer = 0; layer < runner.layers; layer++) {
    const all = Array.from({ length: runner.heads }, (_, head) => nameOf({ layer, head })).join(' ');
    layers.push({ layer, ...(await score(runner, items, all)), kitten: await answers(all) });
  }

  const pairs = [];
  for (let i = 0; i < heads.length; i++) {
    for (let j = i + 1; j < heads.length; j++) {
      const names = [nameOf(heads[i]), nameOf(heads[j])];
      pairs.push({ heads: names, kitten: await answers(names.join(' ')) });
    }
  }
  const turning = [];
  for (const [sentence, wrong] of [['tired', 'table'], ['high', 'cat']]) {
    const pair = pairs[largest(pairs.map((entry) => entry.kitten[sentence][wrong]))];
    turning.push({ sentence, ...pair, ...(await score(runner, items, pair.heads.join(' '))) });
  }

  const best = (key) => nameOf(measured[largest(measured.map(key))]);
  return {
    items: items.length, list_length: listLength, as_is: { ...(await score(runner, items)), kitten: await answers('') },
    notable: {
      previous_token: best((h) => h.previous_token), induction: best((h) => h.induction), first_token: best((h) => h.first_token),
      noun_reader: best((h) => h.right_noun - h.other_noun), adjective_reader: best((h) => h.adjective), most_needed: best((h) => -h.knocked_out.p),
    },
    heads: measured, layers_knocked_out: layers, turning_pairs: turning,
  };
}
