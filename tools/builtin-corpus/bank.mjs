// English sentences with "bank" in its two senses; what comes before settles which.
import { fill } from './draw.mjs';
import { isHeldOutPair } from './held-out.mjs';
import { boysEn, namesEn } from './lexicon.mjs';

export const senses = ['money', 'river'];
export const before = {
  money: [
    '{n} had a lot of money.', '{n} had some money.', '{n} wanted to save some money.', '{n} wanted a loan.', '{n} needed cash.', '{n} got a check from work.',
    '{n} needed a loan to buy a house.', '{n} carried some coins and notes.', '{n} had a bag full of coins.', '{n} was paid today.',
    '{n} sold the old car for cash.', '{n} counted the coins.', '{n} wanted to borrow money.', 'The boss gave {n} a check.', '{n} found some coins in a pocket.',
    '{n} needed money for a toy.', 'The clerk knew {n} well.', '{n} gave the clerk some notes.',
  ],
  river: [
    '{n} liked fishing in the river.', '{n} had a small boat.', '{n} was tired of swimming.', '{n} saw some ducks in the river.', '{n} wanted to watch the water.',
    '{n} followed the stream.', '{n} carried a fishing rod.', '{n} heard the frogs by the stream.', '{n} was wet from the river.',
    '{n} rowed the boat down the river.', '{n} wanted to catch fish.', '{n} swam in the cold water.', 'The river was wide and {n} was tired.',
    'The ducks swam near {n}.', '{n} found some frogs in the grass.', '{n} wanted to swim.', 'The stream was deep and {n} was wet.', '{n} got out of the boat.',
  ],
};
export const going = {
  money: ['{He} went to the bank', '{He} walked to the bank', '{He} drove to the bank', '{He} ran to the bank', '{He} stopped at the bank'],
  river: ['{He} went to the bank', '{He} walked to the bank', '{He} swam to the bank', '{He} ran to the bank', '{He} stopped at the bank'],
};
export const doing = {
  money: ['opened an account', 'put the money in the account', 'talked to the clerk about a loan', 'took out some cash', 'paid the money in', 'asked the clerk for a loan', 'saved the money'],
  river: ['sat on the grass', 'caught a fish', 'watched the boats', 'looked at the water', 'fed the ducks', 'lay in the sun', 'picked some flowers'],
};
const after = {
  money: [
    ' The bank was closed, so {he} came back later.', ' The bank kept the money safe.', ' The bank lends money to people.',
    ' The clerk at the bank said, "Thank you very much."', ' The bank account was full of money.',
  ],
  river: [' The bank was muddy and wet.', ' The bank of the river was green.', ' The river flowed past the bank.', ' Frogs sat on the bank.', ' Grass grew on the bank.'],
};
const alone = {
  money: [
    'I deposited money at the bank.', 'I deposited money at the bank and opened an account.', '{n} deposited money at the bank.',
    '{n} deposited some cash at the bank and took out some coins.', 'I put my money in the bank.', '{n} asked the bank for a loan.',
    'The money is in the bank.', '{n} called the bank about a loan.',
  ],
  river: [
    'The river bank was green.', 'The river bank is muddy and wet.', 'I sat on the river bank and watched the boats.',
    '{n} sat on the river bank and looked at the water.', '{n} sat near the bank of the river.', '{n} walked along the river bank and picked some flowers.',
    'Ducks live on the river bank.', 'The boat is near the bank of the river.',
  ],
};

/** [before, going] templates of one sense that no training text joins. */
export const heldOutPairings = (sense) => before[sense].flatMap((b) => going[sense].filter((g) => isHeldOutPair(b, g)).map((g) => [b, g]));

/** Slots for a person. */
export function personSlots(n) {
  const he = boysEn.includes(n) ? 'he' : 'she';
  return { n, he, He: he[0].toUpperCase() + he.slice(1) };
}

/** One text about one of the two banks. */
export function bank(draw) {
  const sense = draw.choice(senses);
  const slots = personSlots(draw.choice(namesEn));
  if (draw.chance(0.3)) return draw.fill(alone[sense], slots);
  let first;
  let second;
  do {
    first = draw.choice(before[sense]);
    second = draw.choice(going[sense]);
  } while (isHeldOutPair(first, second));
  const goes = !draw.chance(0.12);
  const text = goes ? `${first} ${second} and ${draw.choice(doing[sense])}.` : first;
  const more = draw.sample(after[sense], goes ? draw.choice([0, 0, 1, 1, 2]) : draw.choice([1, 2]));
  return fill(text + more.join(''), slots);
}
