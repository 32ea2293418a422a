import { DOUBT } from '../doubts.js';
import { type OptionTable, parseOptions } from '../commands/options.js';
import { type Wrapper, type Wrapped, guesses } from './wrapped.js';
import type { Word } from '../words/word.js';

/** Programs that run another one with no more power than it has alone: their options, and the operands before it. */
const TRANSPARENT: Readonly<Record<string, OptionTable & { readonly operands?: number }>> = {
  nice: { valued: 'n', long: 'adjustment=', numeric: true },
  ionice: { valued: 'cn', letters: 't', long: 'class= classdata= ignore' },
  nohup: {},
  setsid: { letters: 'cfw', long: 'ctty fork wait' },
  stdbuf: { valued: 'ioe', long: 'input= output= error=' },
  timeout: { valued: 'ks', letters: 'v', long: 'kill-after= signal= preserve-status foreground verbose', operands: 1 },
  time: { letters: 'p' },
  builtin: {},
};

/** Behind the keyword `time` the shell still takes assignments. */
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[|\+?=)/;

function transparent({ operands = 0, ...table }: OptionTable & { readonly operands?: number }): Wrapper {
  return (words) => {
    const parsed = parseOptions(words.slice(1), { ...table, stop: true });
    if (parsed === undefined) return { self: [DOUBT.runner], doubts: [DOUBT.runner], inner: guesses(words), scripts: [] };
    const behind = parsed.operands.slice(operands);
    const first = behind.findIndex(({ text = '' }) => !ASSIGNMENT.test(text));
    const inner = first < 0 ? [] : behind.slice(first);
    return inner.length === 0 ? undefined : { doubts: first > 0 ? [DOUBT.assignment] : [], inner: [inner], scripts: [] };
  };
}

/** `command` runs a program past functions; with `-v` it only says where it is. */
const command: Wrapper = (words) => {
  const parsed = parseOptions(words.slice(1), { letters: 'pvV', stop: true });
  if (parsed?.options.some(({ name }) => name !== 'p') === true) return undefined;
  return transparent({ letters: 'p' })(words);
};

/** The wrappers that add no power of their own, by name. */
export const TRANSPARENT_WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...Object.entries(TRANSPARENT).map(([name, table]) => [name, transparent(table)] as const),
  ['command', command],
]);

const ENV_ASSIGNMENT = /^[^=-][^=]*=/;

/** `env` with nothing but a command changes nothing. With variables or options it can change what the command does. */
const env: Wrapper = (words) => {
  const parsed = parseOptions(words.slice(1), { letters: 'i0v', valued: 'uC', long: 'ignore-environment unset= chdir= null debug', stop: true });
  if (parsed === undefined) return splitString(words);
  const first = parsed.operands.findIndex(({ text, beginning }) => !ENV_ASSIGNMENT.test(text ?? beginning));
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
