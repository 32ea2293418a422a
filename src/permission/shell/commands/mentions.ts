import type { FileUse } from '../../../domain/tool/command-analysis.js';
import type { Context, Scope } from '../context.js';
import { patternUses } from './read-targets.js';
import { subcommandAt } from '../git/subcommand.js';
import { wordsWithoutTexts } from '../git/file-options.js';
import { pathspecUses } from '../git/pathspec.js';
import { showsOnly } from '../readers/index.js';
import { runsByOption } from '../hazards/git.js';
import { type Word, baseName, literal } from '../words/word.js';

/** Programs that only print their arguments, or do nothing with them. */
const PRINTERS: ReadonlySet<string> = new Set(['echo', 'printf', 'true', 'false', ':', 'exit', 'sleep', 'seq', 'expr']);
/** Commands of Git that show what is in the files which they are given, or keep it, from where another one shows it; none changes them. */
const GIT_READS: ReadonlySet<string> = new Set([
  ...['annotate', 'archive', 'blame', 'cat-file', 'diff', 'diff-files', 'diff-index', 'diff-tree', 'grep', 'log', 'rev-list', 'show', 'stash', 'whatchanged'],
  ...[
    'add',
    'branch',
    'cherry-pick',
    'commit',
    'describe',
    'fetch',
    'hash-object',
    'ls-files',
    'merge',
    'pull',
    'push',
    'rebase',
    'reflog',
    'remote',
    'rev-parse',
    'stage',
    'status',
    'tag',
    'update-index',
  ],
]);
/** Path boundaries within a script of another language, or within a text. */
const SIGNS = /[\s"'`()[\]{};<>|&,$]+/;
/** Behind these another path can begin within a word: `HEAD:f`, `--output=f`, `@f`. */
const JOINTS = /[=:@]/g;

/**
 * Adds the files that words of a command may name when it is not known what the command does with the words:
 * `tar --to-command=…`, `perl -pi -e … f`, `curl -d @f`. They count only where they name what must not be touched unasked.
 * @param known whether it is known which of the words name files.
 */
export function addMentions(words: readonly Word[], known: boolean, scope: Scope, context: Context): void {
  const [program, ...rest] = words;
  const name = baseName(literal(program) ?? '');
  if (known || PRINTERS.has(name)) {
    for (const word of rest) addLooseMentions(word, scope, context);
    return;
  }
  for (const { word, kinds, pathspec } of doubtful(name, rest)) {
    const uses = [...usesOf(word, kinds, context.home), ...(pathspec === true ? kinds.flatMap((kind) => pathspecUses(word, kind)) : [])];
    for (const use of uses) context.findings.addFile(use, scope.folders);
  }
}

/** Adds the files that a word may name that is assigned to a variable or looped over: its use is known only at run time. */
export function addLooseMentions(word: Word, { folders }: Scope, { findings, home }: Context): void {
  for (const use of usesOf(word, BOTH, home)) findings.addLoose(use, folders);
}

/** Adds the files that a word may name whose beginning is known: they count where they must not be touched unasked. */
export function addWordMentions(word: Word, kinds: readonly FileUse['kind'][], { folders }: Scope, { findings, home }: Context): void {
  for (const use of usesOf(word, kinds, home)) findings.addFile(use, folders);
}

/** A word, and what may be done with a file that it names. */
interface Doubtful {
  readonly word: Word;
  readonly kinds: readonly FileUse['kind'][];
  /** Whether Git takes it for a pattern of names, if it is one. */
  readonly pathspec?: true;
}

const BOTH: readonly FileUse['kind'][] = ['read', 'write'];
const READ: readonly FileUse['kind'][] = ['read'];

/** The words that may name files which a command opens: not a commit message. Where Git only records a file, it reads it. */
function doubtful(name: string, words: readonly Word[]): readonly Doubtful[] {
  if (name !== 'git') return words.map((word) => ({ word, kinds: showsOnly(name) ? READ : BOTH }));
  const at = subcommandAt(words);
  const command = literal(words[at]) ?? '';
  const others = at < 0 ? words : [...words.slice(0, at), ...wordsWithoutTexts(command, words.slice(at + 1))];
  const runs = new Set(words.filter((_, index) => (at < 0 || index < at ? literal(words[index - 1]) === '-c' : isGivenToOption(command, words[index - 1]))));
  return others.map((word) => ({
    word,
    kinds: GIT_READS.has(command) && !runs.has(word) && !(word.text ?? word.beginning).startsWith('-') ? READ : BOTH,
    pathspec: true,
  }));
}

/** Whether a word of Git follows an option that runs a program. */
function isGivenToOption(command: string, before: Word | undefined): boolean {
  return before !== undefined && literal(before)?.includes('=') === false && runsByOption(command, [before]);
}

/** The files that a word may name. */
function usesOf(word: Word, kinds: readonly FileUse['kind'][], home: string): readonly FileUse[] {
  const written = word.text ?? word.beginning;
  const others = (word.maybe ?? []).flatMap((text) => [text, `${word.beginning}${text}`]);
  const whole = [...joints(written), ...others].flatMap((path) => kinds.map((kind) => ({ kind, path })));
  const parts = (SIGNS.test(written) ? written.split(SIGNS) : []).flatMap(joints);
  const scripted = parts.flatMap((path) => kinds.filter((kind) => isScripted(path, kind)).map((kind) => ({ kind, path })));
  const named = [...whole, ...scripted]
    .filter(({ path }) => path !== '')
    .map(({ kind, path }): FileUse => ({ kind, path: path.replace(/^~(?=\/|$)/, home), by: 'word' }));
  const patterns = kinds.flatMap((kind) => patternUses(word, kind)).map((use): FileUse => ({ ...use, by: 'word' }));
  return [...named, ...patterns, ...(word.behind ?? []).flatMap((text) => usesBehind(text, kinds))];
}

/** The files that a text may name behind a part known only at run time: in any folder where it begins with a slash, and others as in a script. */
function usesBehind(text: string, kinds: readonly FileUse['kind'][]): readonly FileUse[] {
  const [first = '', ...others] = text.split(SIGNS);
  const path = /^\/+(?=[^/])(.+)$/s.exec(first)?.[1];
  const placed = others
    .flatMap(joints)
    .flatMap((name) => kinds.flatMap((kind): readonly FileUse[] => (isScripted(name, kind) ? [{ kind, path: name, by: 'word' }] : [])));
  return path === undefined ? placed : [...kinds.map((kind): FileUse => ({ kind, path, by: 'word', unplaced: true })), ...placed];
}

/** Whether a part of a script may count as a file: as one that is written only when it has a hidden file or folder in it. */
function isScripted(path: string, kind: FileUse['kind']): boolean {
  return path !== '' && (kind === 'read' || /(?:^|\/)\.\w/.test(path));
}

/** A word, its parts after joining characters, and what may follow the letters of options. */
function joints(word: string): readonly string[] {
  const behind = [...word.matchAll(JOINTS)].map(({ index }) => word.slice(index + 1));
  if (!word.startsWith('-')) return [word, ...behind];
  const attached = /^-\w+?([./~].*)$/s.exec(word)?.[1];
  return [...behind, ...(attached === undefined ? [] : [attached])];
}
