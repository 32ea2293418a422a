import type { ParsedOptions } from '../commands/options.js';
import { parseSubcommand } from '../readers/git.js';
import { type Word, baseName, literal } from '../words/word.js';
import { readPathspec } from './pathspec.js';
import { subcommandAt } from './subcommand.js';

/** Options that show file contents, and those that show something else instead. */
const PATCH = ['p', 'u', 'U', 'W', 'patch', 'unified', 'word-diff', 'function-context', 'check'];
const TERSE = ['s', 'no-patch', 'stat', 'shortstat', 'numstat', 'dirstat', 'summary', 'compact-summary', 'name-only', 'name-status', 'raw', 'quiet'];

/** Whether a subcommand is given one of some options. */
type Has = (names: readonly string[]) => boolean;

/** For subcommands that can show file contents, current or old: whether they do with these options. */
const SHOWS_TEXT: Readonly<Record<string, (has: Has, parsed: ParsedOptions) => boolean>> = {
  log: (has) => has(PATCH),
  diff: (has) => has(PATCH) || !has(TERSE),
  show: (has) => has(PATCH) || !has(TERSE),
  status: (has) => has(['v', 'verbose']),
  stash: (has, parsed) => has(PATCH) || (literal(parsed.operands[0]) === 'show' && !has(TERSE)),
  // A type in front of the object shows it as -p does.
  'cat-file': (has) => has(['p']) || !has(['t', 's', 'e']),
  grep: (has) => !has(['l', 'L', 'c', 'q', 'files-with-matches', 'name-only', 'files-without-match', 'count']),
};
/** Further ones that do, of which the options are not known here. */
const SHOW_TEXT: ReadonlySet<string> = new Set([
  ...['annotate', 'archive', 'bundle', 'diff-files', 'diff-index', 'diff-tree', 'difftool', 'fast-export', 'format-patch', 'range-diff', 'request-pull'],
  ...['unpack-file', 'whatchanged'],
]);

/** Whether a subcommand that is parsed shows what is in files; `undefined` for one that is not known to with any option. */
export function showsText(name: string, parsed: ParsedOptions): boolean | undefined {
  return Object.hasOwn(SHOWS_TEXT, name) ? SHOWS_TEXT[name]?.((names) => parsed.options.some((option) => names.includes(option.name)), parsed) : undefined;
}

/**
 * Whether git shows, or may show, text of files that its arguments do not name: `git log -p`, `git show HEAD~3`, `git grep x`.
 * Without `--` a word before it can be a version as well as a path.
 */
export function showsAnyFile([program, ...words]: readonly Word[]): boolean {
  if (baseName(literal(program) ?? '') !== 'git') return false;
  const at = subcommandAt(words);
  const name = at < 0 ? '' : literal(words[at]);
  if (name === undefined || SHOW_TEXT.has(name)) return true;
  if (!Object.hasOwn(SHOWS_TEXT, name)) return false;
  const parsed = parseSubcommand(name, words.slice(at + 1));
  return parsed === undefined || (showsText(name, parsed) === true && !namesFiles(name, parsed));
}

/** Whether git shows, or keeps, text of files that its arguments name: where these are not known, it may be any. */
export function showsNamedFile([program, ...words]: readonly Word[]): boolean {
  if (baseName(literal(program) ?? '') !== 'git') return false;
  const name = literal(words[subcommandAt(words)]) ?? '';
  return Object.hasOwn(SHOWS_TEXT, name) || SHOW_TEXT.has(name) || KEEPS_OR_SHOWS.has(name);
}

const KEEPS_OR_SHOWS: ReadonlySet<string> = new Set(['add', 'apply', 'blame', 'commit', 'hash-object', 'stage', 'update-index', 'cherry', 'am']);

/** Whether only files are shown that are named, as they are called: behind `--`, with their version (`HEAD:f`), or by the lines that are followed. */
function namesFiles(command: string, { operands, options, beforeDashes }: ParsedOptions): boolean {
  if (beforeDashes < operands.length)
    return operands.slice(beforeDashes).every(({ text, glob }) => text !== undefined && (glob >= 0 || !readPathspec(text).wide));
  if (command === 'log' && options.some(({ name }) => name === 'L')) return true;
  // Colons in braces are part of a version: `HEAD@{12:00}`.
  return operands.length > 0 && operands.every(({ text = '' }) => /:./.test(text.replaceAll(/\{[^}]*\}/g, '')));
}
