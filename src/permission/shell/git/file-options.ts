import { type Word, literal } from '../words/word.js';

/** Use of a file that an option of a Git subcommand names. */
type OptionUse = 'read' | 'write';

/**
 * Long options of all subcommands of Git with the name of a file or folder that Git opens. A name means the same wherever it is known, so
 * they are not separated by subcommand; any beginning of a name counts, for Git takes one that is the only one of its kind (gitcli(7)).
 * Sources: the manual of each subcommand, and what `git <command> -h` says of 2.39; a test holds the table against the installed Git.
 */
const LONG: Readonly<Record<OptionUse, readonly string[]>> = {
  read: [
    ...['file', 'template', 'pathspec-from-file', 'contents', 'ignore-revs-file', 'add-file', 'exclude-from', 'import-marks', 'import-marks-if-exists'],
    ...['signature-file', 'reference', 'reference-if-able', 'refs-snapshot', 'rewrite-submodules-from', 'rewrite-submodules-to'],
  ],
  write: ['output', 'output-directory', 'export-marks', 'index-output', 'object-dir', 'separate-git-dir', 'build-fake-ancestor', 'expire-to', 'socket'],
};

/** Options of their own that are the beginning of one of these. */
const WHOLE: ReadonlySet<string> = new Set(['add', 'exclude', 'index', 'ref']);

/** Short options likewise, by subcommand. */
const SHORT: Readonly<Record<string, Partial<Record<OptionUse, string>>>> = {
  ...{ commit: { read: 'Ft' }, tag: { read: 'F' }, notes: { read: 'F' }, merge: { read: 'F' }, 'commit-tree': { read: 'F' }, 'fmt-merge-msg': { read: 'F' } },
  ...{ grep: { read: 'f' }, blame: { read: 'S' }, annotate: { read: 'S' }, pickaxe: { read: 'S' }, config: { read: 'f' }, 'ls-files': { read: 'X' } },
  ...{ archive: { write: 'o' }, bugreport: { write: 'o' }, diagnose: { write: 'o' }, 'index-pack': { write: 'o' }, mailsplit: { write: 'o' } },
  ...{
    'format-patch': { read: 'O', write: 'o' },
    'range-diff': { read: 'O' },
    diff: { read: 'O' },
    log: { read: 'O' },
    show: { read: 'O' },
    stash: { read: 'O' },
    whatchanged: { read: 'O' },
  },
  ...{ 'diff-files': { read: 'O' }, 'diff-index': { read: 'O' }, 'diff-tree': { read: 'O' }, difftool: { read: 'O' }, mergetool: { read: 'O' } },
};

/** The subcommands whose operands are files that Git opens by their names, wherever they are; some of them write their operands as well. */
const OPENS: Readonly<Record<string, readonly OptionUse[]>> = {
  ...{
    apply: ['read'],
    am: ['read'],
    'hash-object': ['read'],
    mailsplit: ['read'],
    'verify-pack': ['read'],
    'send-email': ['read'],
    'fast-import': ['read'],
    'get-tar-commit-id': ['read'],
  },
  ...{
    'merge-file': ['read', 'write'],
    'index-pack': ['read', 'write'],
    'interpret-trailers': ['read', 'write'],
    mailinfo: ['write'],
    bundle: ['read', 'write'],
    'pack-objects': ['write'],
    bugreport: ['write'],
  },
};
/** Operands of these that are no files. */
const ACTIONS: Readonly<Record<string, ReadonlySet<string>>> = { bundle: new Set(['create', 'verify', 'list-heads', 'unbundle']) };

/** Options by whose text no file is opened, with the values behind them, by subcommand: messages, names of people, dates, layouts. */
const OF_COMMITS = ['author', 'committer', 'grep', 'since', 'until', 'after', 'before', 'date', 'format', 'pretty'];
const TEXTS: Readonly<Record<string, { readonly letters?: string; readonly long: readonly string[] }>> = {
  commit: { letters: 'm', long: ['message', 'author', 'date', 'trailer', 'cleanup', 'fixup', 'squash'] },
  ...{
    tag: { letters: 'm', long: ['message', 'format', 'sort'] },
    notes: { letters: 'm', long: ['message', 'ref'] },
    merge: { letters: 'm', long: ['message', 'into-name'] },
  },
  ...{
    stash: { letters: 'm', long: ['message'] },
    'commit-tree': { letters: 'm', long: [] },
    'fmt-merge-msg': { letters: 'm', long: ['message', 'into-name'] },
  },
  ...Object.fromEntries(['log', 'show', 'rev-list', 'shortlog', 'whatchanged', 'reflog'].map((name) => [name, { long: OF_COMMITS }])),
};

/** A file that an option names: as a word of its own, or as a text behind the option in one word. */
export interface OptionFile {
  readonly kind: OptionUse;
  readonly path: string;
}

/** The files that the options of a subcommand name, behind them or in the same word; rather one more than one less. */
export function filesOfOptions(command: string, words: readonly Word[]): readonly OptionFile[] {
  const end = words.findIndex((word) => literal(word) === '--');
  return (end < 0 ? words : words.slice(0, end)).flatMap((word, index) => {
    const written = word.text ?? word.beginning;
    const next = words[index + 1];
    return written.startsWith('--') ? ofLong(written.slice(2), next) : written.startsWith('-') ? ofLetters(command, written.slice(1), next) : [];
  });
}

function ofLong(written: string, next: Word | undefined): readonly OptionFile[] {
  const [name = '', ...rest] = written.split('=');
  if (name === '' || WHOLE.has(name)) return [];
  return (['read', 'write'] as const).flatMap((kind) => {
    if (!LONG[kind].some((known) => known.startsWith(name))) return [];
    // A name that is cut short may be another one, without a value.
    return fileOf(kind, rest.length > 0 ? rest.join('=') : undefined, next);
  });
}

function ofLetters(command: string, cluster: string, next: Word | undefined): readonly OptionFile[] {
  const known = Object.hasOwn(SHORT, command) ? SHORT[command] : undefined;
  const texts = lettersOfText(command);
  return Array.from(cluster).flatMap((letter, index, all): readonly OptionFile[] => {
    if (all.slice(0, index).some((before) => texts.includes(before))) return [];
    const kind = known?.read?.includes(letter) === true ? 'read' : known?.write?.includes(letter) === true ? 'write' : undefined;
    const rest = cluster.slice(index + 1);
    return kind === undefined ? [] : fileOf(kind, rest === '' ? undefined : rest.replace(/^=/, ''), next);
  });
}

function fileOf(kind: OptionUse, attached: string | undefined, next: Word | undefined): readonly OptionFile[] {
  const path = attached ?? next?.text ?? next?.beginning;
  return path === undefined || path === '' || path === '-' || (attached === undefined && path.startsWith('-')) ? [] : [{ kind, path }];
}

function lettersOfText(command: string): string {
  return Object.hasOwn(TEXTS, command) ? (TEXTS[command]?.letters ?? '') : '';
}

/** The words among the arguments of a subcommand that can name a file: not a message, nor the name of its author. */
export function wordsWithoutTexts(command: string, words: readonly Word[]): readonly Word[] {
  const { letters = '', long = [] } = (Object.hasOwn(TEXTS, command) ? TEXTS[command] : undefined) ?? {};
  const end = words.findIndex((word) => literal(word) === '--');
  const inOptions = (index: number): boolean => end < 0 || index < end;
  const lone = new RegExp(`^(?:--(?:${long.join('|') || '(?!)'})|-[A-Za-z]*[${letters || '^\\s\\S'}])$`);
  const whole = new RegExp(`^(?:--(?:${long.join('|') || '(?!)'})=|-[A-Zac-z]*[${letters || '^\\s\\S'}].)`, 's');
  return words.filter((word, index) => !inOptions(index) || !(lone.test(literal(words[index - 1]) ?? '') || whole.test(word.text ?? word.beginning)));
}

/** Uses of files by the operands of a subcommand, where it opens them by their names. */
export function filesOfOperands(command: string, words: readonly Word[]): readonly OptionFile[] {
  const operands = words.filter(
    ({ text = '' }, index) => text !== '' && !text.startsWith('-') && ACTIONS[command]?.has(text) !== true && words[index - 1]?.text !== '-L',
  );
  const kinds = Object.hasOwn(OPENS, command)
    ? (OPENS[command] ?? [])
    : command === 'diff' && words.some(({ text }) => /^--no-i/.test(text ?? ''))
      ? (['read'] as const)
      : [];
  return operands.flatMap(({ text = '' }) => kinds.map((kind) => ({ kind, path: text })));
}
