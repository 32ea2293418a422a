import { DOUBT } from '../doubts.js';
import { parseOptions } from '../commands/options.js';
import type { Word } from '../words/word.js';
import type { Wrapped, Wrapper } from './wrapped.js';
import { guesses } from './wrapped.js';

const ASSIGNMENT = /^[^=-][^=]*=/;

/** `env` with nothing but a command changes nothing. With variables or options it can change what the command does. */
const env: Wrapper = (words) => {
  const parsed = parseOptions(words.slice(1), { letters: 'i0v', valued: 'uC', long: 'ignore-environment unset= chdir= null debug', stop: true });
  if (parsed === undefined) return splitString(words);
  const first = parsed.operands.findIndex(({ text, beginning }) => !ASSIGNMENT.test(text ?? beginning));
  const inner = first < 0 ? [] : parsed.operands.slice(first);
  if (inner.length === 0) return undefined;
  const changes = first > 0 || parsed.options.length > 0;
  return { ...(parsed.options.length > 0 ? { self: [DOUBT.environment] } : {}), doubts: changes ? [DOUBT.environment] : [], inner: [inner], scripts: [] };
};

/** `env -S` splits a text into words by rules of its own. */
function splitString(words: readonly Word[]): Wrapped {
  const scripts = words.flatMap(({ text = '' }, index) => {
    const value = /^(?:-[iv0]*S|--split-string=)([^]*)$/.exec(text)?.[1];
    return value === undefined ? [] : [value === '' ? (words[index + 1]?.text ?? '') : value];
  });
  return { self: [DOUBT.environment], doubts: [DOUBT.environment], inner: guesses(words), scripts };
}

/** `exec` puts a program in place of the shell. */
const exec: Wrapper = (words) => {
  const parsed = parseOptions(words.slice(1), { letters: 'cl', valued: 'a', stop: true });
  const inner = parsed === undefined ? guesses(words) : parsed.operands.length === 0 ? [] : [parsed.operands];
  return { ...(parsed === undefined || inner.length === 0 ? { self: [DOUBT.state] } : {}), doubts: [DOUBT.state], inner, scripts: [] };
};

/** Wrappers that change what a command finds around it, by name. */
export const ENVIRONMENT_WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ['env', env],
  ['exec', exec],
]);
