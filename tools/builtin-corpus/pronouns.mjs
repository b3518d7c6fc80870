// Sentences in which a later adjective settles what "it" means, each with a question about it.
import { fill } from './draw.mjs';
import { pairsOf } from './held-out.mjs';
import * as lx from './lexicon.mjs';

// The ways of asking that are measured. {x} adjective, {a} animal, {o} object, {v} verb, {who} 谁 or 什么; the answer follows.
export const questionsZh = {
  which: '太{x}的是',
  means: '“它”指的是',
  ask: '问：{who}太{x}了？答：',
  reread: '再读一遍：{a}{no}{v}{o}，因为它（',
};
export const questionsEn = {
  which: ' The one that was too {x} is the',
  means: ' The word it means the',
  ask: ' Question: what was too {x}? Answer: the',
};
export const statementZh = '{a}{no}{v}{o}，因为它太{x}了。';
export const statementEn = 'The {a} {no} {v} the {o} because it was too {x}.';
export const fittingZh = '{i}放不进{c}，因为它太{x}了。太{x}的是';
export const fittingEn = 'The {i} does not fit in the {c} because it is too {x}. The one that is too {x} is the';

// Animals and what they jump onto or cross, adjectives of animal and object, verbs.
export const scenesZh = [
  { animals: lx.animalsZh, objects: lx.objectsZh, tired: lx.tiredZh, other: lx.highZh, verbs: ['跳上', '跳上', '爬上', '登上'], weight: 62 },
  { animals: lx.animalsZh, objects: lx.crossingsZh, tired: lx.tiredZh, other: lx.wideZh, verbs: ['穿过', '越过', '走过'], weight: 38 },
];
export const scenesEn = [
  { animals: lx.animalsEn, objects: lx.objectsEn, tired: lx.tiredEn, other: lx.highEn, verbs: ['jump onto', 'jump onto', 'climb onto', 'get on'], weight: 60 },
  { animals: lx.animalsEn, objects: lx.crossingsEn, tired: lx.tiredEn, other: lx.wideEn, verbs: ['cross', 'walk across'], weight: 40 },
];

const trainable = new Map([...scenesZh, ...scenesEn].map((scene) => [scene, pairsOf(scene.animals, scene.objects, false)]));
const itemsZh = pairsOf(lx.itemsZh, lx.containersZh, false);
const itemsEn = pairsOf(lx.itemsEn, lx.containersEn, false);

/** Slots of one scene: animal a, object o, verb v, adjective x, its referent ref, and whether that is the animal. */
function drawScene(draw, scenes) {
  const scene = draw.weighted(scenes.map((each) => [each, each.weight]));
  const [a, o] = draw.choice(trainable.get(scene));
  const ofAnimal = draw.chance(0.5);
  const x = draw.choice(ofAnimal ? scene.tired : scene.other);
  return { a, o, v: draw.choice(scene.verbs), x, ref: ofAnimal ? a : o, ofAnimal, who: ofAnimal ? '谁' : '什么' };
}

/** 小猫没有跳上桌子，因为它太累了。太累的是小猫。 and its other forms. */
export function animalZh(draw) {
  const s = { ...drawScene(draw, scenesZh), no: draw.choice(['没有', '没有', '没有', '不敢', '不愿']) };
  const shape = draw.weighted([['plain', 78], ['because first', 13], ['but', 9]]);
  let text;
  if (shape === 'plain') text = fill(statementZh, s);
  else if (shape === 'but') text = fill('{a}想{v}{o}，可是它太{x}了。', s);
  else if (s.ofAnimal) text = fill('因为{a}太{x}了，它{no}{v}{o}。', s);
  else text = fill('因为{o}太{x}了，{a}{no}{v}它。', s);
  let form = draw.weighted([['which', 36], ['means', 14], ['ask', 15], ['reread', 15], ['then', 12], ['really', 4], ['', 4]]);
  if (form === 'reread' && shape !== 'plain') form = 'which';
  if (form === 'reread') return text + fill(`${questionsZh.reread}{ref}）太{x}了。`, s);
  if (form in questionsZh) return text + fill(`${questionsZh[form]}{ref}。`, s);
  if (form === 'then' && s.ofAnimal) return text + draw.fill(['于是{a}躺下睡着了。', '于是{a}回家休息了。', '于是{a}在旁边坐下来。'], s);
  if (form === 'then') return text + draw.fill(['于是{o}一直没有客人。', '于是{o}只好空着。'], s);
  return text + (form === 'really' ? fill('{ref}真的太{x}了。', s) : '');
}

/** The cat could not jump onto the table because it was too tired. The one that was too tired is the cat. */
export function animalEn(draw) {
  const s = { ...drawScene(draw, scenesEn), no: draw.choice(['did not', "didn't", 'could not', 'could not']) };
  const text = fill(statementEn, s);
  const form = draw.weighted([['which', 42], ['means', 18], ['ask', 20], ['then', 14], ['', 6]]);
  if (form in questionsEn) return text + fill(`${questionsEn[form]} {ref}.`, s);
  if (form === 'then' && s.ofAnimal) return text + draw.fill([' So the {a} lay down and slept.', ' So the {a} went home to rest.', ' So the {a} sat down.'], s);
  return text + (form === '' ? '' : fill(' The {ref} was really too {x}.', s));
}

/** Slots of one thing that does not fit in another. */
function drawFitting(draw, pairs, big, small) {
  const [i, c] = draw.choice(pairs);
  const ofItem = draw.chance(0.5);
  return { i, c, x: draw.choice(ofItem ? big : small), ref: ofItem ? i : c };
}

/** 西瓜放不进书包，因为它太大了。太大的是西瓜。 */
export function itemZh(draw) {
  const s = drawFitting(draw, itemsZh, lx.bigZh, lx.smallZh);
  const because = '{i}放不进{c}，因为它太{x}了。';
  return draw.fill([`${fittingZh}{ref}。`, `${fittingZh}{ref}。`, `${because}“它”指的是{ref}。`, `${because}问：什么太{x}了？答：{ref}。`], s);
}

/** The coat does not fit in the bag because it is too big. The one that is too big is the coat. */
export function itemEn(draw) {
  const s = drawFitting(draw, itemsEn, lx.bigEn, lx.smallEn);
  const because = 'The {i} does not fit in the {c} because it is too {x}.';
  return draw.fill([`${fittingEn} {ref}.`, `${fittingEn} {ref}.`, `${because} Question: what is too {x}? Answer: the {ref}.`, `${because} The word it means the {ref}.`], s);
}

/** 小明很高兴，因为他…: the pronoun of a person agrees with the name. */
export function personZh(draw) {
  const n = draw.choice(lx.namesZh);
  const s = { n, p: lx.boysZh.includes(n) ? '他' : '她', do: draw.choice(lx.actionsZh), place: draw.choice(lx.placesZh) };
  return draw.fill(['{n}很高兴，因为{p}学会了{do}。', '{n}很高兴，因为{p}收到了礼物。', '{n}没有去{place}，因为{p}要在家{do}。'], s);
}
