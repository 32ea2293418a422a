import lists from './special-files.json';

/** Names that matter, and where it is documented that they do. Names are canonical: lower case, ASCII. */
export interface SpecialNames {
  /** Names that count anywhere in a path, and all below them. */
  readonly folders?: readonly string[];
  /** Names of two or more levels, likewise. */
  readonly places?: readonly string[];
  /** File names, in any folder. `*` matches anything. */
  readonly files?: readonly string[];
  /** Folder names; with them, `files` count only somewhere below such a folder. `*` matches anything. */
  readonly within?: readonly string[];
  /** The manuals that say what reads or runs them. */
  readonly sources: readonly string[];
}

const POWERS = ['editor', 'git', 'build', 'source', 'start', 'keys', 'agent'] as const;

/** Files that commonly contain passwords or keys. */
export const SECRET_FILES: readonly SpecialNames[] = lists.secret;

/** Names of harmless files that look like those: `.env.example`, `id_rsa.pub`. */
export const SHOWN_FILES: readonly string[] = lists.shown;

/** Files and folders that grant power beyond their text. */
export const PROTECTED_FILES: readonly (SpecialNames & { readonly power: Power })[] = lists.protected.map((names) => ({
  ...names,
  power: powerOf(names.power),
}));

/** Powers of protected files. */
export type Power = (typeof POWERS)[number];

function powerOf(name: string): Power {
  const power = POWERS.find((each) => each === name);
  if (power === undefined) throw new Error(`special-files.json names an unknown power: ${name}`);
  return power;
}

/** Names that are looked for, made ready: most are compared as a whole. */
export class NameSet {
  private readonly folders: ReadonlySet<string>;
  private readonly places: readonly string[];
  private readonly files: ReadonlySet<string>;
  private readonly patterns: readonly Pattern[];
  private readonly inner: readonly { readonly within: readonly Pattern[]; readonly files: readonly Pattern[] }[];

  constructor(lists: readonly Omit<SpecialNames, 'sources'>[]) {
    const files = lists.flatMap(({ within, files: names = [] }) => (within === undefined ? names : []));
    this.folders = new Set(lists.flatMap((list) => list.folders ?? []));
    this.places = lists.flatMap((list) => list.places ?? []).map((place) => `/${place}/`);
    this.files = new Set(files.filter((name) => !name.includes('*')));
    this.patterns = files.filter((name) => name.includes('*')).map(patternOf);
    this.inner = lists.flatMap(({ within, files: names = [] }) =>
      within === undefined ? [] : [{ within: within.map(patternOf), files: names.map(patternOf) }],
    );
  }

  /** Whether the names of a path, canonical, lie in one of its folders or places. */
  holdsFolder(names: readonly string[]): boolean {
    const joined = `/${names.join('/')}/`;
    return names.some((name) => this.folders.has(name)) || this.places.some((place) => joined.includes(place));
  }

  /** Whether the last of the names of a path, canonical, is one of its files that count only below some folder, and lies below that. */
  holdsBelow(names: readonly string[]): boolean {
    const [file = '', ...folders] = names.toReversed();
    return this.inner.some(
      ({ within, files }) => files.some((pattern) => fitsName(pattern, file)) && folders.some((name) => within.some((pattern) => fitsName(pattern, name))),
    );
  }

  /** Whether a file name, canonical, is one of its files. */
  holdsFile(name: string): boolean {
    return this.files.has(name) || this.patterns.some((pattern) => fitsPattern(pattern, name));
  }
}

/** A name with at most two `*`, split at these. */
interface Pattern {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
  /** The name itself, where it has no `*`. */
  readonly exact?: string;
}

function patternOf(name: string): Pattern {
  const [start = '', ...rest] = name.split('*');
  return { start, middle: rest.length > 1 ? (rest[0] ?? '') : '', end: rest.at(-1) ?? '', ...(name.includes('*') ? {} : { exact: name }) };
}

function fitsName(pattern: Pattern, name: string): boolean {
  return pattern.exact === undefined ? fitsPattern(pattern, name) : pattern.exact === name;
}

function fitsPattern({ start, middle, end }: Pattern, name: string): boolean {
  if (name.length < start.length + middle.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  return name.slice(start.length, name.length - end.length).includes(middle);
}
