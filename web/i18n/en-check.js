// Strings of glassbox-check.
export const check = {
  tag: 'Guess first',
  options: 'Choose one',
  give: 'This is my guess',
  again: 'Take it back and guess again',
  isRight: 'right',
  isWrong: 'not right',
  right: 'You guessed right. ',
  missed: 'Not this one. ',
  wrong: (option) => `Not this one. The answer is “${option}”. `,
  noneRight: 'None of these. ',
  computed: (value) => `The model has just computed ${value}.`,
  computedWord: (word) => `The model has just computed “${word}”.`,
  distance: (grade, guess, value, off) => `${grade} You guessed ${guess}, the model computes ${value}: off by ${off}.`,
  grades: ['Very close.', 'Not far off.', 'Some way off.'],
  waiting: 'Computing the answer.',
};
