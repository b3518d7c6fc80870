import { en } from './en.js';
import { zh } from './zh.js';

const languages = { zh, en };

/** The language of a BCP 47 tag such as `zh-Hans` or `en-GB`, or null when there are no strings for it. */
export function languageOf(tag) {
  const name = (tag ?? '').toLowerCase().split('-')[0];
  return languages[name] ? name : null;
}

/** All strings of the widgets in one language: plain strings, and functions where numbers or names go in. Chinese by default. */
export const strings = (language) => languages[languageOf(language) ?? 'zh'];

/** One sentence for an error code: what happened and what to do. */
export const errorSentence = (code, language) => {
  const { errors } = strings(language);
  return Object.hasOwn(errors, code) ? errors[code] : errors.unknown;
};
