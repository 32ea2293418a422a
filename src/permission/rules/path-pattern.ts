import { t } from '../../domain/l10n.js';
import type { StandIn } from '../../domain/workspace/workspace.js';
import { type PathStep, compileName, pathFits } from '../../text/wildcards.js';

/** A folder as it is named and as it leads, as absolute paths. */
export type Spellings = readonly string[];

/** The folders that patterns begin at. */
export interface Bases {
  readonly folders: readonly Spellings[];
  readonly home: Spellings;
  /** Folders whose files patterns also know by their places in other ones. Left out: none. */
  readonly standIns?: readonly StandIn[];
  /** Whether a file, absolute with every link resolved, is settings of a repository though its name does not say so. Left out: none is. */
  readonly isSettings?: (path: string) => boolean;
}

/** Normalization of names for comparison, such as case folding. */
export type Fold = (name: string) => string;

/** A compiled pattern for files, in the manner of ignore files: one that fits a folder fits all below it. */
export interface PathPattern {
  /** Where it begins: at the root, at home, in a workspace folder, or in any folder. */
  readonly from: 'root' | 'home' | 'workspace' | 'anywhere';
  readonly steps: readonly PathStep[];
  readonly fold: Fold;
}

/** Why a pattern cannot be read, as a sentence; `undefined` for a good one. */
export function pathPatternProblem(text: string): string | undefined {
  if (text.startsWith('!')) return t('Negated patterns (“!”) are not supported. Write a rule with the opposite effect.');
  if (/^[A-Za-z]:/.test(text)) return t('Write a path with a drive letter as //C:/folder/**, or use ~/folder/** for a path in your home folder.');
  if (/^\$\{?\w+\}?(\/|$)|^%\w+%/.test(text)) return t('Variables are not supported in patterns. Use ~/ for your home folder.');
  if (/^~[^/]/.test(text)) return t('~ can only refer to your own home folder, as in ~/folder/**.');
  if (/(?:^|[^\\])[{}]/.test(text)) return t('Brace alternatives are not supported. Write one rule for each name, or use \\{ for a literal brace.');
  if (/(?:^|[^\\])\\$/.test(text)) return t('The pattern ends with a backslash. Use “/” to separate folders.');
  if (text.split('/').includes('..')) return t('The pattern cannot contain “..”. Use the resolved path: //folder/** or ~/folder/**.');
  return undefined;
}

/** Compiles a pattern without {@link pathPatternProblem}. */
export function compilePath(text: string, fold: Fold): PathPattern {
  const from = startOf(text);
  const names = text
    .replace(/^[~.](?=\/|$)/, '')
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  const steps = driveFolded(names, from).map((name): PathStep => (name === '**' ? 'any' : compileName(fold(name))));
  // A trailing `**` matches what lies in a folder, not the folder itself.
  const whole: readonly PathStep[] = steps.at(-1) === 'any' ? [...steps, ['any']] : steps;
  return { from, fold, steps: from === 'anywhere' ? ['any', ...whole] : whole };
}

function startOf(text: string): PathPattern['from'] {
  if (text.startsWith('//')) return 'root';
  if (text === '~' || text.startsWith('~/')) return 'home';
  return /^\.?\/|\/[^/]/.test(text) ? 'workspace' : 'anywhere';
}

/** Whether a pattern reaches out of the workspace by what it says, and not by chance. */
export function namesOutside({ from }: PathPattern): boolean {
  return from === 'root' || from === 'home';
}

/**
 * Whether a file is one that a pattern is about.
 * @param path absolute.
 */
export function fitsPath(pattern: PathPattern, path: string, bases: Bases): boolean {
  return restsOf(pattern, path, bases).some((rest) => {
    const names = rest.map(pattern.fold);
    return rest.length > 0 && (pathFits(pattern.steps, names) || pathFits([...pattern.steps, 'any'], names));
  });
}

/** Whether a pattern may be about a file below a folder: false only when that is certain. */
export function mayFitBelow(pattern: PathPattern, folder: string, bases: Bases): boolean {
  const folders = namesOutside(pattern) ? [folder, ...othersOf(folder, bases)] : [folder];
  if (startsOf(pattern, bases).some((base) => folders.some((each) => namesBelow(each, base) !== undefined))) return true;
  return restsOf(pattern, folder, bases).some((rest) => {
    const open = pattern.steps.indexOf('any');
    const length = Math.min(open === -1 ? pattern.steps.length : open, rest.length);
    return pathFits(pattern.steps.slice(0, length), rest.slice(0, length).map(pattern.fold));
  });
}

/** Parts of a path below the bases of a pattern, as names. */
function restsOf(pattern: PathPattern, path: string, bases: Bases): readonly (readonly string[])[] {
  const places = namesOutside(pattern) ? [path, ...othersOf(path, bases)] : [path];
  const rests = startsOf(pattern, bases).flatMap((base) => places.flatMap((place) => [namesBelow(base, place)].filter((names) => names !== undefined)));
  return pattern.from === 'anywhere' && rests.length === 0 ? [namesOf(path)] : rests;
}

/** The paths that a file, or one in a folder above them, stands for. */
function othersOf(path: string, { standIns = [] }: Bases): readonly string[] {
  return standIns.flatMap(({ folder, for: other }) => {
    const names = namesBelow(folder, path);
    return names === undefined ? [] : [[other, ...names].join('/')];
  });
}

function startsOf({ from }: PathPattern, { folders, home }: Bases): readonly string[] {
  if (from === 'root') return ['/'];
  return from === 'home' ? home : folders.flat();
}

/** The names of a path below a folder, `undefined` when it lies elsewhere. */
export function namesBelow(folder: string, path: string): readonly string[] | undefined {
  const start = namesOf(folder);
  const names = namesOf(path);
  return start.every((name, index) => names[index] === name) ? names.slice(start.length) : undefined;
}

/** A path relative to the workspace folder it lies in, else absolute. In nested folders the outer one counts. */
export function pathInFolder(path: string, { folders }: Bases): string {
  const rests = folders.flat().flatMap((folder) => {
    const names = namesBelow(folder, path);
    return names === undefined ? [] : [names];
  });
  const [longest] = rests.sort((a, b) => b.length - a.length);
  return longest === undefined ? path : longest.join('/');
}

/** The names of an absolute path; a drive is the first one, as its letter. */
function namesOf(path: string): readonly string[] {
  const windows = /^[A-Za-z]:[\\/]/.test(path);
  const names = path.split(windows ? /[\\/]/ : '/').filter((name) => name !== '');
  return windows ? [path.charAt(0).toLowerCase(), ...names.slice(1)] : names;
}

function driveFolded(names: readonly string[], from: PathPattern['from']): readonly string[] {
  const [first = '', ...rest] = names;
  return from === 'root' && /^[A-Za-z]:$/.test(first) ? [first.charAt(0).toLowerCase(), ...rest] : names;
}
