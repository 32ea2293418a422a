import { DOUBT } from '../doubts.js';
import { hasRiskyOption } from '../commands/options.js';
import { remotesOf } from '../git/remotes.js';
import { type Word, literal } from '../words/word.js';

/** Options before the subcommand that change nothing but how it prints. */
const HARMLESS_GLOBAL: ReadonlySet<string> = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs', '--version', '--help']);
/** Options of any subcommand that run a program or write a file. */
const RISKY_LONG = [
  ...['output', 'output-directory', 'ext-diff', 'open-files-in-pager', 'upload-pack', 'receive-pack', 'exec', 'extcmd', 'tool'],
  ...['config', 'config-env', 'template', 'exec-path', 'git-dir', 'work-tree', 'separate-git-dir', 'remote-cmd'],
];
/** Letters of single subcommands that do. */
const RISKY_LETTERS: Readonly<Record<string, string>> = {
  grep: 'O',
  rebase: 'x',
  difftool: 'xt',
  clone: 'uc',
  fetch: 'u',
  archive: 'o',
  'format-patch': 'o',
  am: 'C',
  init: 't',
};
/** Subcommands that run what they are given, or what some file says. */
const RUNNERS: ReadonlySet<string> = new Set(['submodule', 'bisect', 'filter-branch', 'difftool', 'mergetool', 'send-email', 'instaweb', 'gui', 'hook']);
/** Subcommands that change files which the text does not name. */
const CHANGERS: ReadonlySet<string> = new Set(['apply', 'am', 'checkout-index', 'read-tree', 'restore', 'unpack-file', 'merge-file', 'unpack-objects']);
const READING_CONFIG = /^(?:--get|--get-all|--get-regexp|--get-urlmatch|-l|--list|list|get)$/;

/** The doubts about a command of git. @param lost whether it is not known in which folder it runs. */
export function gitHazards(words: readonly Word[], lost: boolean): readonly string[] {
  const at = words.findIndex((word) => !HARMLESS_GLOBAL.has(literal(word) ?? ''));
  const name = literal(words[at]);
  const rest = words.slice(at + 1);
  const doubts: string[] = lost ? [DOUBT.gitElsewhere] : [];
  if (literal(words[0]) === '-C' && literal(words[1]) === '.') return gitHazards(words.slice(2), lost);
  if (at < 0) return doubts;
  if (name === undefined || name.startsWith('-')) return [...doubts, DOUBT.gitSettings];
  if (runsByOption(name, rest)) doubts.push(DOUBT.option);
  if (RUNNERS.has(name)) doubts.push(DOUBT.runner);
  if (remotesOf(name, rest).local) doubts.push(DOUBT.localRemote);
  if (name === 'config' && !readsConfig(rest)) doubts.push(DOUBT.gitSettings);
  if (changesUnnamed(name, rest)) doubts.push(DOUBT.changes);
  return doubts;
}

/** Whether options of a subcommand run a program or write a file. */
export function runsByOption(name: string, rest: readonly Word[]): boolean {
  return hasRiskyOption(rest, { letters: (Object.hasOwn(RISKY_LETTERS, name) ? RISKY_LETTERS[name] : undefined) ?? '', long: RISKY_LONG });
}

/** Whether `git config` reads: with an option that says so, or with nothing but the name of a setting. */
export function readsConfig(rest: readonly Word[]): boolean {
  return rest.some(({ text = '' }) => READING_CONFIG.test(text)) || (rest.length === 1 && /^[\w-]+\.[\w./-]+$/.test(literal(rest[0]) ?? ''));
}

function changesUnnamed(name: string, rest: readonly Word[]): boolean {
  if (CHANGERS.has(name)) return true;
  const operands = rest.filter(({ text = '' }) => !text.startsWith('-'));
  if (name === 'stash') return ['pop', 'apply', 'branch'].includes(operands[0]?.text ?? '');
  if (name !== 'checkout') return false;
  const creates = rest.some(({ text = '' }) => /^-[bB]$|^--orphan$/.test(text));
  const single = operands[0]?.text ?? '';
  return (
    rest.some(({ text = '' }) => /^(?:--|--pathspec-from-file|-p|--patch)/.test(text) && text !== '--orphan') ||
    (!creates && (operands.length > 1 || /^[.:]|[*?[]/.test(single)))
  );
}
