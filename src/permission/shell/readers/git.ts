import { type OptionTable, type ParsedOptions, parseOptions } from '../commands/options.js';
import type { ReadTarget } from '../commands/read-targets.js';
import { type Word, literal } from '../words/word.js';
import type { Reader } from './reader.js';

/** Syntax of a subcommand. `operands` says whether it lists or shows with these operands; without, any number may stand. */
interface GitSpec extends OptionTable {
  readonly allows?: (parsed: ParsedOptions) => boolean;
  /** Whether operands can name files; of a search all but the first. */
  readonly paths?: boolean | 'search';
}

const none = ({ operands }: ParsedOptions): boolean => operands.length === 0;
const withOption =
  (...names: readonly string[]) =>
  (parsed: ParsedOptions): boolean =>
    none(parsed) || parsed.options.some(({ name }) => names.includes(name));
const first =
  (...names: readonly string[]) =>
  ({ operands }: ParsedOptions): boolean =>
    operands.length > 0 && names.includes(literal(operands[0]) ?? '');

const only =
  (name: string) =>
  ({ operands }: ParsedOptions): boolean =>
    operands.length === 1 && literal(operands[0]) === name;

/** Names of settings that contain passwords and tokens. */
const SECRET_SETTING = /extraheader|proxy|password|passwd|token|secret|credential|helper|askpass|key$|oauth|cookie/i;

/** One argument reads a setting; two would set it. */
function readsSetting({ operands, options }: ParsedOptions): boolean {
  const names = [
    ...operands.map(literal),
    ...options.flatMap(({ value }) => (value === undefined ? [] : [typeof value === 'string' ? value : literal(value)])),
  ];
  const name = names[0];
  return names.length === 1 && name !== undefined && /^[\w-]+\.[\w./-]+$/.test(name) && !SECRET_SETTING.test(name);
}

const DIFF =
  'stat? shortstat numstat dirstat summary name-only name-status patch no-patch raw unified? minimal patience histogram word-diff? ' +
  'color? no-color ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines function-context diff-filter= ' +
  'find-renames? find-copies? no-renames no-ext-diff no-textconv relative? exit-code quiet full-index abbrev? check compact-summary cached staged merge-base';
const LOG =
  'oneline graph decorate? no-decorate all branches? tags? remotes? author= committer= grep= since= after= until= before= max-count= skip= ' +
  'format= pretty? date= reverse no-merges merges first-parent follow topo-order date-order abbrev-commit no-abbrev-commit left-right cherry-pick ' +
  'cherry-mark regexp-ignore-case invert-grep all-match no-walk simplify-by-decoration full-history ancestry-path source show-pulls name-only';

/**
 * Subcommands that only read, and their options. Not `--output`, which writes, `--ext-diff` and `-O` of grep, which run
 * programs, nor `--no-index`, `--contents` and the like, which read other files.
 *
 * The settings of a repository can make even these run programs (core.fsmonitor, filters, diff.external, textconv). They
 * are trusted only where the line starts, and there only those of the workspace's own repository (own-repository.ts):
 * that folder was trusted when it was opened, VS Code's own Git reads the same settings, and writing them is asked
 * about, for `.git` is protected. In any other folder Git raises a doubt, because files of a workspace can look like a
 * repository with settings of their own.
 */
const SUBCOMMANDS: Readonly<Record<string, GitSpec>> = {
  status: {
    letters: 'sbvz',
    maybe: 'u',
    long: 'short branch porcelain? long verbose show-stash ignored? untracked-files? ahead-behind no-renames',
    paths: true,
  },
  log: { letters: 'pzsiE', valued: 'nSGL', numeric: true, maybe: 'MCU', long: `${DIFF} ${LOG}`, paths: true },
  diff: { letters: 'pzswbaRW', valued: 'SG', maybe: 'MCU', long: DIFF, paths: true },
  show: {
    letters: 'pzswb',
    valued: 'S',
    maybe: 'MCU',
    long: `${DIFF} format= pretty? oneline abbrev-commit no-abbrev-commit date= decorate? no-decorate`,
    paths: true,
  },
  branch: {
    letters: 'arvi',
    long: 'all remotes verbose list show-current contains= no-contains= merged? no-merged? sort= format= points-at= color? no-color ignore-case',
    allows: withOption('list'),
  },
  tag: {
    letters: 'li',
    maybe: 'n',
    long: 'list contains= no-contains= merged? no-merged? sort= format= points-at= ignore-case',
    allows: withOption('l', 'list'),
  },
  remote: { letters: 'v', long: 'verbose push', allows: (parsed) => none(parsed) || first('get-url')(parsed) },
  'rev-parse': {
    letters: 'q',
    long:
      'show-toplevel abbrev-ref? short? verify quiet git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir ' +
      'is-bare-repository show-prefix show-cdup symbolic symbolic-full-name all branches? tags? remotes? revs-only no-revs flags no-flags',
  },
  'ls-files': {
    letters: 'cdmosuktvz',
    valued: 'x',
    long: 'cached deleted modified others stage unmerged ignored exclude-standard exclude= full-name error-unmatch eol abbrev?',
    paths: true,
  },
  'ls-tree': { letters: 'rtdlz', long: 'name-only name-status long full-name full-tree abbrev?', paths: true },
  'cat-file': { letters: 'tspe', paths: true },
  blame: { letters: 'bcelnpstwfk', valued: 'L', maybe: 'MC', long: 'date= porcelain line-porcelain show-email show-name show-number root', paths: true },
  describe: { long: 'tags all always long abbrev= contains dirty? exact-match first-parent match= exclude= candidates=' },
  stash: { letters: 'p', long: 'stat patch name-only oneline', allows: first('list', 'show') },
  grep: {
    letters: 'aiIwvnlLhHcpWEGFPoq',
    valued: 'eABCm',
    numeric: true,
    long:
      'ignore-case word-regexp invert-match line-number column files-with-matches name-only files-without-match count only-matching ' +
      'extended-regexp basic-regexp fixed-strings perl-regexp after-context= before-context= context= show-function heading break cached and or not all-match',
    paths: 'search',
  },
  shortlog: { letters: 'nsec', long: 'numbered summary email all since= until= no-merges', allows: ({ operands }) => operands.length > 0 },
  reflog: { valued: 'n', numeric: true, long: 'oneline max-count= date= all', allows: (parsed) => none(parsed) || first('show')(parsed) },
  config: { long: 'get= get-all= show-origin show-scope local global', allows: readsSetting },
  worktree: { letters: 'vz', long: 'porcelain verbose', allows: only('list') },
  'show-ref': { letters: 'dsq', long: 'head heads tags dereference hash? abbrev? quiet verify' },
  'merge-base': { letters: 'a', long: 'all is-ancestor octopus fork-point' },
  'rev-list': { valued: 'n', numeric: true, long: `count left-right ${LOG}`, paths: true },
  'for-each-ref': { long: 'format= sort= count= contains= merged? no-merged? points-at=' },
  'check-ignore': { letters: 'vqn', long: 'verbose quiet non-matching no-index', paths: true },
  version: { allows: none },
};

const GLOBAL: ReadonlySet<string> = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs']);

/** Parses the arguments of git. `-C .` has no effect. */
export const git: Reader = ([first, second, ...others]) =>
  literal(first) === '-C' && literal(second) === '.' ? readGit(others) : readGit([first, second, ...others].filter((word) => word !== undefined));

const readGit: Reader = (words) => {
  const at = words.findIndex((word) => !GLOBAL.has(literal(word) ?? ''));
  const name = literal(words[at]) ?? '';
  if (name === '--version' && words.length === 1) return [];
  const spec = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  const parsed = parseSubcommand(name, words.slice(at + 1));
  if (parsed === undefined || words.some(showsSignatures) || spec?.allows?.(parsed) === false) return undefined;
  const targets = [...targetsOf(spec, parsed), ...linesOf(name, parsed)].map(pathsOf);
  return targets.every((paths) => paths !== undefined) ? targets.flat() : undefined;
};

/** A subcommand with its arguments parsed; `undefined` where an option is not known to only read. */
export function parseSubcommand(name: string, rest: readonly Word[]): ParsedOptions | undefined {
  const spec = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  return spec && parseOptions(rest, spec);
}

/** The files whose lines are followed: `-L1,5:f`. */
function linesOf(command: string, { options }: ParsedOptions): readonly Word[] {
  if (command !== 'log') return [];
  return options.flatMap(({ name, value }) =>
    name !== 'L' || value === undefined
      ? []
      : [typeof value === 'string' ? { start: 0, end: 0, text: value, beginning: value, risk: 'none' as const, glob: -1 } : value],
  );
}

/** Whether a format shows signatures, which runs a program. */
function showsSignatures({ text = '' }: Word): boolean {
  return text.includes('%G') || text.includes('%(signature');
}

function targetsOf(spec: GitSpec | undefined, { operands, options }: ParsedOptions): readonly Word[] {
  if (spec?.paths === 'search') return options.some(({ name }) => name === 'e') ? operands : operands.slice(1);
  return spec?.paths === true ? operands : [];
}

/** A pattern for files of one kind, which by their name contain no passwords or keys: `*.ts`, `src/**\/*.md`. */
export const ONE_KIND = /^(?:[\w./-]*\/)?(?:\*\*\/)?\*\.(?!(?:env|pem|key|p12|pfx|ppk|jks|keystore|kdbx?|p8|ovpn|tfstate|tfvars|netrc)\b)[a-z]\w*$/;

/**
 * The files that an operand may name: `f`, `HEAD:f`, `:f`, `:0:f`. A revision may contain colons itself (`HEAD@{12:00}:f`,
 * gitrevisions(7)), so the part after each colon counts. A revision is treated as a file that does not exist, which does no
 * harm. `undefined` for patterns that reach elsewhere.
 */
function pathsOf(word: Word): readonly ReadTarget[] | undefined {
  const { text, glob } = word;
  if (text === undefined || /^:[/!^(]/.test(text)) return undefined;
  // What the shell leaves of a pattern Git itself compares with the files it knows (gitglossary(7), pathspec).
  if (glob < 0 && /[*?[\\]/.test(text) && !ONE_KIND.test(text)) return undefined;
  const behind = [...text.matchAll(/:/g)].map(({ index }) => text.slice(index + 1));
  return behind.length === 0 ? [word] : behind.filter((path) => path !== '');
}
