import type { StoredView } from '../../../domain/tool/command-analysis.js';
import type { ParsedOptions } from '../commands/options.js';
import { addedViews } from './added-views.js';
import { parseSubcommand } from '../readers/git.js';
import { type Word, literal } from '../words/word.js';
import { showsText } from './shown-text.js';

/**
 * Subcommands that show nothing of what is in stored files, whatever their options, but for those that {@link SPEAKS} lists. Every other one
 * may show all that there is. Of `blame` and `merge-file` the arguments name the file. Source: the manual of each.
 */
const SILENT: ReadonlySet<string> = new Set([
  ...[
    'add',
    'am',
    'annotate',
    'apply',
    'blame',
    'branch',
    'check-attr',
    'check-ignore',
    'check-mailmap',
    'check-ref-format',
    'checkout',
    'checkout-index',
    'cherry',
    'cherry-pick',
  ],
  ...[
    'clean',
    'clone',
    'column',
    'commit',
    'commit-graph',
    'commit-tree',
    'config',
    'count-objects',
    'describe',
    'fetch',
    'fmt-merge-msg',
    'for-each-ref',
    'fsck',
    'gc',
    'hash-object',
  ],
  ...[
    'help',
    'index-pack',
    'init',
    'interpret-trailers',
    'lfs',
    'ls-files',
    'ls-remote',
    'ls-tree',
    'mailinfo',
    'mailsplit',
    'maintenance',
    'merge',
    'merge-base',
    'merge-file',
    'mktag',
  ],
  ...[
    'mktree',
    'multi-pack-index',
    'mv',
    'name-rev',
    'notes',
    'pack-refs',
    'patch-id',
    'prune',
    'pull',
    'push',
    'read-tree',
    'rebase',
    'reflog',
    'remote',
    'repack',
    'replace',
    'reset',
  ],
  ...[
    'restore',
    'rev-list',
    'rev-parse',
    'revert',
    'rm',
    'shortlog',
    'show-branch',
    'show-index',
    'show-ref',
    'sparse-checkout',
    'stage',
    'status',
    'stripspace',
    'submodule',
    'switch',
  ],
  ...['symbolic-ref', 'tag', 'update-index', 'update-ref', 'var', 'verify-commit', 'verify-pack', 'verify-tag', 'version', 'worktree', 'write-tree'],
]);
/** Options with which some of them do: they show changes to choose from, or take an object over as a note. */
const SPEAKS: Readonly<Record<string, RegExp>> = {
  ...{
    add: /^-\w*[pie]|^--(?:p|i(?!g)|e)/,
    stage: /^-\w*[pie]|^--(?:p|i(?!g)|e)/,
    checkout: /^-\w*p|^--pat(?!h)/,
    reset: /^-\w*p|^--pat(?!h)/,
    restore: /^-\w*p|^--pat(?!h)/,
  },
  ...{
    commit: /^-\w*p|^--(?:pat(?!h)|int|dr|sh|po|long)/,
    am: /^--show/,
    rebase: /^--show/,
    reflog: /^-(?!-|n|\d)|^--(?:pat|uni|cc)/,
    notes: /^-\w*[cC]|^--re/,
  },
  ...{
    config: /^--bl/,
    'for-each-ref': /%\(\*?raw/,
    branch: /%\(\*?raw/,
    tag: /%\(\*?raw/,
    'rev-list': /^--use-bitmap-index$/,
    status: /^-\w*v|^--v/,
    submodule: /^(?:foreach|summary)$/,
    shortlog: /^-\w*p|^--pat/,
  },
};
/** Options before the subcommand after which it still shows what it would have shown. */
const PLAIN_GLOBAL = /^(?:--no-pager|-[pP]|--paginate|--no-optional-locks|--literal-pathspecs|--glob-pathspecs|--no-advice|--no-lazy-fetch)$/;

/** Options that choose commits; with each, Git only reads. */
const CHOOSES: ReadonlySet<string> = new Set([
  ...[
    'n',
    'max-count',
    'skip',
    'since',
    'after',
    'until',
    'before',
    'author',
    'committer',
    'grep',
    'i',
    'regexp-ignore-case',
    'E',
    'invert-grep',
    'all-match',
    'no-merges',
    'merges',
  ],
  ...[
    'first-parent',
    'all',
    'branches',
    'tags',
    'remotes',
    'no-walk',
    'reverse',
    'simplify-by-decoration',
    'full-history',
    'ancestry-path',
    'show-pulls',
    'left-right',
    'cherry-pick',
    'cherry-mark',
    'follow',
  ],
]);
/** Options that choose commits by what is in files. */
const SEARCHES: readonly string[] = ['S', 'G', 'diff-filter'];
const OF_NUMBER: ReadonlySet<string> = new Set(['n', 'max-count', 'skip']);

/** Stored content of a repository that git shows with some arguments. @param at where among them its subcommand is. */
export function storedViews(words: readonly Word[], at: number): readonly StoredView[] {
  if (at < 0) return [];
  const place = placeOf(words.slice(0, at));
  const name = literal(words[at]);
  const rest = words.slice(at + 1);
  const adding = name === undefined ? [] : addedViews(name, rest);
  if (adding.length > 0) return place === undefined ? [ANYTHING] : adding.map((view) => ({ ...view, ...place }));
  if (name !== undefined && isSilent(name, rest)) return [];
  const parsed = name === undefined || place === undefined || rest.some(({ text }) => text === undefined) ? undefined : parseSubcommand(name, rest);
  if (name === undefined || parsed === undefined) return name === 'log' && !mayPatch(rest) ? [] : [ANYTHING];
  if (showsText(name, parsed) === true && expandsToVersion(name, parsed, rest)) return [ANYTHING];
  return viewsOf(name, parsed, rest).map((view) => ({ ...view, ...place }));
}

const ANYTHING: StoredView = { of: 'anything', options: [], operands: [], paths: [] };

/**
 * Whether a file pattern of the shell can become the name of a version, such as that of a file `HEAD:.env`. Where a word can be both, Git refuses it
 * unless `--` follows; `cat-file` takes no paths at all.
 */
function expandsToVersion(name: string, { operands, beforeDashes }: ParsedOptions, rest: readonly Word[]): boolean {
  return (name === 'cat-file' || rest.some((word) => literal(word) === '--')) && operands.slice(0, beforeDashes).some(({ glob }) => glob >= 0);
}

/** The folder to which options before the subcommand lead; `undefined` where these choose another repository. */
function placeOf(words: readonly Word[]): Pick<StoredView, 'folder'> | undefined {
  const [first, second, ...others] = words;
  if (first === undefined) return {};
  const text = literal(first) ?? '';
  if (PLAIN_GLOBAL.test(text)) return placeOf(words.slice(1));
  const value = literal(second);
  if (value === undefined || (text !== '-C' && text !== '-c')) return undefined;
  const rest = placeOf(others);
  if (rest === undefined || text === '-c') return rest;
  return { folder: rest.folder === undefined ? value : `${value}/${rest.folder}` };
}

function isSilent(name: string, rest: readonly Word[]): boolean {
  if (name === 'stash')
    return !/^(?:show|list)$/.test(literal(rest[0]) ?? 'push') && !rest.some(({ text, beginning }) => /^-\w*p|^--p/.test(text ?? beginning));
  return SILENT.has(name) && !speaks(name, rest);
}

/** Long options of `log` that show what changed, or choose commits by that. */
const PATCHES = [
  'patch',
  'patch-with-raw',
  'patch-with-stat',
  'unified',
  'cc',
  'combined-all-paths',
  'word-diff',
  'word-diff-regex',
  'color-words',
  'color-moved',
  'function-context',
  'check',
  'text',
  'binary',
  'remerge-diff',
  'diff-merges',
  'dd',
  'ext-diff',
];

/** Whether `log` may show what changed with options that are not all known. Any beginning of a name counts as that. */
function mayPatch(rest: readonly Word[]): boolean {
  return rest.some(({ text, beginning }) => {
    const written = text ?? beginning;
    if (text === undefined || !written.startsWith('--')) return text === undefined || /^-\w*[puUWcSGL]/.test(written);
    const name = written.slice(2).split('=')[0] ?? '';
    return name !== '' && name !== 'color' && PATCHES.some((patch) => patch.startsWith(name));
  });
}

function speaks(name: string, rest: readonly Word[]): boolean {
  const pattern = Object.hasOwn(SPEAKS, name) ? SPEAKS[name] : undefined;
  return pattern !== undefined && rest.some(({ text, beginning }) => pattern.test(text ?? beginning));
}

function viewsOf(name: string, parsed: ParsedOptions, rest: readonly Word[]): readonly Omit<StoredView, 'folder'>[] {
  const has = (names: readonly string[]): boolean => parsed.options.some((option) => names.includes(option.name));
  const words = parsed.operands.map(({ text = '' }) => text);
  const named = { operands: words.slice(0, parsed.beforeDashes), paths: words.slice(parsed.beforeDashes) };
  const shows = showsText(name, parsed) === true || has(['S', 'G']);
  switch (name) {
    case 'log':
      // The lines that are followed are of a file that is named, which may have had another name.
      if (has(['L'])) return followed(parsed).map((path) => ({ of: 'commits', options: ['--follow'], operands: named.operands, paths: [path] }));
      return shows ? [{ of: 'commits', options: chosen(parsed, rest), ...named }] : [];
    case 'show':
      return shows ? [{ of: 'objects', options: ['--no-walk'], ...named }] : [];
    case 'diff':
      return shows ? [{ of: 'difference', options: statesOf(parsed), ...named }] : [];
    case 'status':
      return [['--cached'], []].map((options) => ({ of: 'difference', options, operands: [], paths: [] }));
    case 'stash':
      return shows ? [stashView(named.operands)] : [];
    case 'cat-file':
      return shows ? [{ of: 'objects', options: [], ...named }] : [];
    case 'grep':
      return [{ of: 'files', options: [], ...searched(named, has(['e'])) }];
    default:
      return [ANYTHING];
  }
}

/** The files of which lines are followed: `-L1,5:f`, `-L:name:f`. */
function followed({ options }: ParsedOptions): readonly string[] {
  return options.flatMap(({ name, value }) => {
    const text = typeof value === 'object' ? value.text : value;
    return name !== 'L' || text === undefined ? [] : [text.slice(text.lastIndexOf(':') + 1)];
  });
}

function chosen({ options }: ParsedOptions, rest: readonly Word[]): readonly string[] {
  // What is counted is then not what is listed.
  const counts = !options.some(({ name }) => SEARCHES.includes(name));
  const end = rest.findIndex((word) => literal(word) === '--');
  const numbers = (end < 0 ? rest : rest.slice(0, end)).flatMap((word, index) =>
    /^-\d+$/.test(word.text ?? '') && literal(rest[index - 1]) !== '-n' ? [word.text ?? ''] : [],
  );
  const said = options
    .filter(({ name }) => CHOOSES.has(name) && (counts || !OF_NUMBER.has(name)))
    .flatMap(({ name, value }) => written(name, typeof value === 'object' ? value.text : value));
  return [...said, ...(counts ? numbers : [])];
}

function written(name: string, value: string | undefined): readonly string[] {
  if (name.length === 1) return value === undefined ? [`-${name}`] : [`-${name}`, value];
  return [value === undefined ? `--${name}` : `--${name}=${value}`];
}

function statesOf({ options }: ParsedOptions): readonly string[] {
  return options.filter(({ name }) => ['cached', 'staged', 'merge-base'].includes(name)).map(({ name }) => `--${name}`);
}

/** A stash is a commit: that of the files, with that of the index and that of files which were not tracked before it. */
function stashView([action, stash, ...more]: readonly string[]): Omit<StoredView, 'folder'> {
  if (action !== 'show') return { of: 'commits', options: ['-g'], operands: ['refs/stash'], paths: [] };
  if (more.length > 0) return ANYTHING;
  const commit = stash === undefined ? 'refs/stash' : /^\d+$/.test(stash) ? `stash@{${stash}}` : stash;
  return { of: 'commits', options: ['--no-walk'], operands: [commit], paths: [] };
}

/** The first word is what is searched for, unless an option gives that. */
function searched({ operands, paths }: Pick<StoredView, 'operands' | 'paths'>, byOption: boolean): Pick<StoredView, 'operands' | 'paths'> {
  return { operands: byOption ? operands : operands.slice(1), paths };
}
