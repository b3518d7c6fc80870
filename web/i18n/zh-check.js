// Strings of glassbox-check.
export const check = {
  tag: '先猜再看',
  options: '选一个',
  give: '就猜这个',
  again: '收回，再猜一次',
  isRight: '对',
  isWrong: '不对',
  right: '猜对了。',
  missed: '没猜中。',
  wrong: (option) => `没猜中。答案是「${option}」。`,
  noneRight: '这几个都不是。',
  computed: (value) => `模型当场算出 ${value}。`,
  computedWord: (word) => `模型当场算出「${word}」。`,
  distance: (grade, guess, value, off) => `${grade}你猜 ${guess}，算出来是 ${value}，差 ${off}。`,
  grades: ['很准。', '差得不远。', '差得有点远。'],
  waiting: '正在算答案。',
};
