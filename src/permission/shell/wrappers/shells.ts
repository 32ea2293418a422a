import { DOUBT } from '../doubts.js';
import { type Word, baseName, literal } from '../words/word.js';
import type { Wrapped, Wrapper } from './wrapped.js';

const SHELLS = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash', 'fish', 'csh', 'tcsh', 'pwsh'];
/** Shells that read a text as bash does, but for a kind of quotes. */
const LIKE_BASH: ReadonlySet<string> = new Set(['sh', 'bash']);
const OTHER_QUOTES = /\$['"]/;

/** `sh -c text` is as good as the text. A shell that is given a file is a program like any other. */
const shell: Wrapper = (words) => {
  const [name, first, second] = words.map(literal);
  if (name === undefined) return undefined;
  const known = LIKE_BASH.has(name) && /^-[eu]*c$/.test(first ?? '') && second !== undefined && !OTHER_QUOTES.test(second);
  if (known) return { doubts: [], inner: [], scripts: [second] };
  if (first !== undefined && /^[^-]/.test(first)) return undefined;
  const scripts = scriptsIn(words);
  return { self: [DOUBT.shell], doubts: [DOUBT.shell], inner: [], scripts, unknown: scripts.length === 0 || !LIKE_BASH.has(name) };
};

/** The texts behind options that end in `c`. */
function scriptsIn(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ text = '' }, index) => {
    const isOption = /^-\w*c$|^-{1,2}command$/i.test(text);
    return isOption ? (words[index + 1]?.text ?? []) : [];
  });
}

/** Joins the words behind the name as the shell does for `eval`. */
function joined(words: readonly Word[]): readonly string[] {
  const texts = words.map(({ text }) => text);
  return texts.every((text) => text !== undefined) ? [texts.join(' ')] : [];
}

const evaluate: Wrapper = (words) => {
  const scripts = joined(words.slice(1));
  return { self: [], doubts: [DOUBT.script], inner: [], scripts, unknown: scripts.length === 0 };
};

const trap: Wrapper = (words) => {
  const scripts = joined(words.slice(1, 2));
  return { self: [], doubts: [DOUBT.script], inner: [], scripts: scripts.filter((text) => !text.startsWith('-')), unknown: scripts.length === 0 };
};

/** `su -c text`, and what `watch` and `script` are given. */
const other =
  (name: keyof typeof DOUBT): Wrapper =>
  (words): Wrapped => {
    const doubt = DOUBT[name];
    const isText = ['watch'].includes(baseName(literal(words[0]) ?? ''));
    const first = words.findIndex(({ text }, index) => index > 0 && !/^(?:-.*|[\d.]+)$/.test(text ?? ''));
    const behind = isText && first > 0 ? joined(words.slice(first)) : [];
    const scripts = [...scriptsIn(words), ...behind];
    return { self: [doubt], doubts: [doubt], inner: [], scripts, unknown: scripts.length === 0 };
  };

/** Wrappers that hand a text to a shell, by name. */
export const SHELL_WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...SHELLS.map((name) => [name, shell] as const),
  ['eval', evaluate],
  ['trap', trap],
  ['su', other('privileges')],
  ['runuser', other('privileges')],
  ['watch', other('runner')],
  ['script', other('runner')],
]);
