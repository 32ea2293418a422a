import { present } from '../../../domain/present.js';
import type { SimpleCommand } from '../../../domain/tool/command-analysis.js';
import { t } from '../../../domain/l10n.js';
import { type Context, type Range, type Scope, withFiles } from '../context.js';
import { DOUBT, unreadable } from '../doubts.js';
import { type Flow, type Folders, staysIn, absolutePaths } from '../folders.js';
import { takesList } from '../hazards/argument-lists.js';
import { hazardsOf } from '../hazards/index.js';
import { addLooseMentions, addMentions } from './mentions.js';
import { changesFiles, copiedFound, namedFiles } from './named-files.js';
import { type ReadTarget, addTargets, leadsUpwards } from './read-targets.js';
import { foundBelow } from '../readers/find.js';
import { gitFacts } from '../git/facts.js';
import { showsAnyFile, showsNamedFile } from '../git/shown-text.js';
import { operandsShown, readerFor, showsFiles } from '../readers/index.js';
import { expandsSecret } from '../words/expansions.js';
import { homeOf } from '../words/judge-word.js';
import { unwrap } from '../wrappers/index.js';
import type { Wrapped } from '../wrappers/wrapped.js';
import { type Word, baseName, literal } from '../words/word.js';
import { parseOptions } from './options.js';

/** Words that the shell would run, with their range in the text. */
export interface Call extends Range {
  readonly words: readonly Word[];
  readonly doubts: readonly string[];
  /** Number of wrappers before it. */
  readonly depth?: number;
}

/** The most wrappers before a command. */
const MAX_WRAPPERS = 8;

/** Programs that do the same harmless thing whatever they are given. */
const HEEDLESS: ReadonlySet<string> = new Set(['echo', 'true', 'false', ':', 'basename', 'dirname', 'printf']);
/** Wrappers of the shell itself: what they run happens in this shell. */
const WITHIN_SHELL: ReadonlySet<string> = new Set(['command', 'builtin', 'time']);

/** Judges a command by its words, and judges the commands that it would run. */
export function invoke(call: Call, scope: Scope, context: Context): Flow {
  const name = literal(call.words[0]);
  if (name === undefined) return list(call, { doubts: [DOUBT.dynamicName] }, scope, context);
  const wrapped = unwrap(call.words);
  if (wrapped === undefined) {
    list(call, { doubts: [] }, scope, context);
    const names = name === 'find' ? foundBelow(call.words.slice(1)) : undefined;
    return changeFolder(call.words, scope, context) ?? { ...staysIn(scope.folders), ...present({ names }) };
  }
  const depth = (call.depth ?? 0) + 1;
  if (depth > MAX_WRAPPERS) unreadable(t('It is too deeply nested to analyze.'));
  addHanded(call.words, wrapped, scope, context);
  if (wrapped.self !== undefined) list(call, { doubts: wrapped.self, runsUnknown: wrapped.unknown }, scope, context);
  const shown = wrapped.shows === undefined ? undefined : scope.input?.map((below) => ({ below, ...wrapped.shows }));
  if (shown !== undefined) addTargets(shown, scope, context);
  const doubts = [...call.doubts, ...(shown === undefined ? wrapped.doubts : [])];
  for (const script of wrapped.scripts) context.script(script, { ...scope, doubts });
  const flows = wrapped.inner.map((words) => invoke({ words, doubts, start: words[0]?.start ?? call.start, end: call.end, depth }, scope, context));
  return (WITHIN_SHELL.has(name) ? flows[0] : undefined) ?? staysIn(scope.folders);
}

/** Adds what a command hands to those that it runs: the names of what it finds, and words that a script knows as `$0` and `$1`, or by a variable. */
function addHanded(words: readonly Word[], { inner }: Wrapped, scope: Scope, context: Context): void {
  for (const word of words.slice(1)) addLooseMentions(word, scope, context);
  const name = baseName(literal(words[0]) ?? '');
  const roots = FINDERS.has(name) ? rootsOf(words.slice(1), name !== 'find') : [];
  for (const command of inner) for (const use of copiedFound(roots, command)) context.findings.addFile(use, scope.folders);
}

const FINDERS: ReadonlySet<string> = new Set(['find', 'fd', 'fdfind']);

/** Where `find` begins to look, and `fd` behind its pattern. */
function rootsOf(words: readonly Word[], behindPattern: boolean): readonly (Word | string)[] {
  const first = words.findIndex(({ text, beginning }) => /^(?:-(?!H$|P$|L$)|[(!,])/.test(text ?? beginning));
  const roots = (first < 0 ? words : words.slice(0, first)).filter(({ text }) => text?.startsWith('-') !== true).slice(behindPattern ? 1 : 0);
  return roots.length === 0 ? ['.'] : roots;
}

/** Facts about a command beside its words. */
interface Known {
  readonly doubts: readonly string[];
  readonly runsUnknown?: boolean | undefined;
}

/** Adds a command to the findings, with its files. */
function list(call: Call, { doubts: more, runsUnknown = false }: Known, scope: Scope, context: Context): Flow {
  const { words } = call;
  const { findings, source } = context;
  let targets: readonly ReadTarget[] | undefined;
  const files = findings.collect(() => {
    targets = addFiles(words, scope, context);
  });
  const doubts = [...new Set([...call.doubts, ...more, ...doubtsOf(words, scope, context)])];
  findings.addCommand({
    source: source.text.slice(call.start, call.end),
    words: words.map(({ text, glob }, index) => (index === 0 && glob >= 0 ? undefined : text)),
    readsOnly: targets !== undefined && doubts.length === 0,
    doubts,
    ...unknownFiles(call, targets, doubts),
    ...(runsUnknown ? { runsUnknown } : {}),
    ...gitFacts(words),
    ...present({ folders: scope.folders }),
    ...withFiles(scope.links, files),
  });
  return staysIn(scope.folders);
}

/** Adds the files of a command. Returns those that it reads when it is known to do nothing else. */
function addFiles(words: readonly Word[], scope: Scope, context: Context): readonly ReadTarget[] | undefined {
  const targets = readerFor(words)?.(words.slice(1));
  const patterns = targets === undefined ? [] : words.slice(1).filter(({ glob }) => glob >= 0);
  addTargets([...(targets ?? operandsShown(words)), ...patterns], scope, context);
  for (const file of namedFiles(words)) context.findings.addFile(file, scope.folders);
  addMentions(words, targets !== undefined, scope, context);
  return targets;
}

/** Where it is not known which arguments of a program name files, any may. */
function unknownFiles(
  { words, doubts: given }: Call,
  targets: readonly ReadTarget[] | undefined,
  doubts: readonly string[],
): Pick<SimpleCommand, 'unknownFiles'> {
  const redirected = doubts.includes(DOUBT.dynamicTarget);
  // `xargs cat` is given them by its input.
  const handed = given.includes(DOUBT.input);
  const isUnknown = (word: ReadTarget): boolean =>
    handed || (typeof word === 'object' && ('below' in word ? typeof word.below === 'object' && word.below.text === undefined : word.text === undefined));
  const reads =
    redirected ||
    (handed && showsNamedFile(words)) ||
    showsAnyFile(words) ||
    takesList(baseName(literal(words[0]) ?? ''), words.slice(1)) ||
    (showsFiles(words) && (handed || (targets ?? words.slice(1)).some(isUnknown)));
  const writes = redirected || (changesFiles(words) && (handed || words.slice(1).some(isUnknown)));
  const kinds = [...(reads ? ['read' as const] : []), ...(writes ? ['write' as const] : [])];
  return kinds.length === 0 ? {} : { unknownFiles: kinds };
}

function doubtsOf(words: readonly Word[], scope: Scope, context: Context): readonly string[] {
  const name = literal(words[0]) ?? '';
  const builtin = name === 'read' && readerFor(words)?.(words.slice(1)) === undefined ? 'state' : BUILTIN_DOUBTS.get(name);
  return [
    ...(scope.folders === undefined ? [DOUBT.folder] : []),
    ...(builtin === undefined ? [] : [DOUBT[builtin]]),
    ...wordDoubts(words.slice(1), name),
    ...(words.some((word) => expandsSecret(word, context)) ? [DOUBT.secretVariable] : []),
    ...hazardsOf(baseName(name), words.slice(1), scope.folders === undefined),
  ];
}

function wordDoubts(words: readonly Word[], name: string): readonly string[] {
  const doubts: string[] = [];
  if (words.some(({ risk }) => risk === 'risky')) doubts.push(DOUBT.expansion);
  if (words.some(({ risk }) => risk === 'plain') && !HEEDLESS.has(name)) doubts.push(DOUBT.dynamicWord);
  if (words.some(leadsUpwards)) doubts.push(DOUBT.upwards);
  return doubts;
}

/** Parts of the shell that change what later commands mean, or that run text. No rule with a prefix lets them pass. */
const STATE = [
  ...['export', 'declare', 'typeset', 'local', 'readonly', 'unset', 'mapfile', 'readarray', 'getopts', 'let'],
  ...['set', 'shopt', 'alias', 'unalias', 'enable', 'hash', 'complete', 'compgen', 'compopt', 'bind', 'trap', 'umask', 'ulimit'],
];
const SCRIPTS = ['.', 'source', 'eval', 'fc', 'history', 'jobs', 'disown', 'suspend', 'logout', 'emulate', 'zmodload', 'autoload'];

/** The doubt that each of them raises. */
const BUILTIN_DOUBTS: ReadonlyMap<string, keyof typeof DOUBT> = new Map([
  ...STATE.map((name) => [name, 'state'] as const),
  ...SCRIPTS.map((name) => [name, 'script'] as const),
]);

const UNKNOWN: Flow = staysIn(undefined);

/** The folders after `cd`, `pushd` and `popd`; `undefined` for any other command. */
function changeFolder([name, ...words]: readonly Word[], scope: Scope, context: Context): Flow | undefined {
  switch (literal(name)) {
    case 'cd':
      return changeTo(folderOfCd(words, homeOf(scope, context)), scope.folders, scope);
    case 'pushd':
      return changeTo(folderOfCd(words, undefined), scope.folders, scope);
    case 'popd':
      return UNKNOWN;
    default:
      return undefined;
  }
}

/** The folder that `cd` is given; `undefined` when it is not known from the text. */
function folderOfCd(words: readonly Word[], home: string | undefined): string | undefined {
  // Not `-P`: it goes up from where a link leads, which the text does not show.
  const parsed = parseOptions(words, { letters: 'L' });
  if (parsed === undefined || parsed.operands.length > 1) return undefined;
  const [operand] = parsed.operands;
  if (operand === undefined) return home;
  const path = literal(operand);
  return path === undefined || /^(?:-|[+-]\d+|)$/.test(path) ? undefined : path;
}

function changeTo(path: string | undefined, folders: Folders, { folders: before }: Scope): Flow {
  if (path === undefined) return UNKNOWN;
  const found = absolutePaths(path, folders);
  return { worked: found.length === 0 ? undefined : found, failed: before };
}
