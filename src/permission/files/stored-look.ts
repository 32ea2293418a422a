import { present } from '../../domain/present.js';
import type { StoredView } from '../../domain/tool/command-analysis.js';
import type { ListGit } from '../surroundings.js';
import { isSecret } from './sensitive-paths.js';
import { SECRET_FILES } from './special-files.js';

/** The most files of commits and versions that one decision looks at; every one is an object of the repository. */
const MAX_OBJECTS = 2_000;
/** The most names of the files that a repository has now, which need no object. */
const MAX_NAMES = 200_000;
/** Most secret files that are distinguished. */
const MAX_SECRETS = 200;

/** Raw lists, in which nothing but names and ids is shown, of the whole repository wherever it is asked. A renamed file counts by both names. */
const RAW = ['--raw', '--no-abbrev', '-z', '--no-relative'];
const LOG = ['log', '--format=', '-m', ...RAW];

/**
 * Paths of source files, by far the most of those in a repository, in folders that are not hidden: none of them is a secret file, and this check
 * is many times faster. A test compares both.
 */
const ORDINARY = new RegExp(
  [
    `^(?!(?:.*/)?(?:${secretFolders().join('|')})/)`,
    String.raw`(?:[\w-][\w.-]*/)*(?!id_|secring|krb5cc_|gnomon-approvals)[\w-][\w.-]*`,
    String.raw`\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|md|s?css|html|svelte|vue|svg|png|snap)$`,
  ].join(''),
  'i',
);

/** Folders of secret files, or the first ones of their places, whose names do not begin with a dot. */
function secretFolders(): readonly string[] {
  const names = SECRET_FILES.flatMap(({ folders = [], places = [] }) => [...folders, ...places.map((place) => place.replace(/\/.*/, ''))]);
  return [...new Set(names)]
    .filter((name) => !name.startsWith('.'))
    .map((name) => name.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '[^/]*'));
}

/** Whether a stored file commonly contains passwords or keys. */
export function isSecretName(path: string): boolean {
  return !ORDINARY.test(path) && isSecret(path);
}

/** Secret files found in a list. */
export interface Found {
  /** Paths from the root of the repository on. */
  readonly secrets: readonly string[];
  /** Whether that is all; `nothing` where there is no such version. */
  readonly result: 'whole' | 'part' | 'nothing';
}

/** `HEAD`, its ancestors, and what lies between two of these (gitrevisions(7)). */
const OF_HEAD = /^(?:HEAD|@)(?:[~^]\d*)*(?:\.{2,3}(?:HEAD|@)(?:[~^]\d*)*)?$/;

const NONE: Found = { secrets: [], result: 'whole' };
const UNKNOWN: Found = { secrets: [], result: 'part' };

/** The kind of an object that a word stands for. */
interface Kind {
  readonly type: string;
  readonly id: string;
  /** Whether the word says under which name it is stored, so that it is judged by that. */
  readonly named: boolean;
}

/** Looks, for one decision, at what the repository around a folder has stored. */
export class StoredLook {
  private readonly folder: string;
  private readonly list: ListGit;
  private readonly until: number;
  private readonly signal: AbortSignal;
  private objects = 0;
  private everything: Promise<Found & { readonly ids: ReadonlyMap<string, boolean> }> | undefined;

  constructor({ folder, list, until, signal }: { readonly folder: string; readonly list: ListGit; readonly until: number; readonly signal: AbortSignal }) {
    this.folder = folder;
    this.list = list;
    this.until = until;
    this.signal = signal;
  }

  /**
   * The secret files that a command with a view shows something of.
   * @param limited whether only files count that its arguments name; objects without a name count all the same.
   */
  async at(view: StoredView, limited: boolean): Promise<Found> {
    switch (view.of) {
      case 'commits':
        return limited ? NONE : this.commits(view);
      case 'difference':
        return this.difference(view, limited);
      case 'files':
        return this.files(view, limited);
      case 'objects':
        return this.shown(view, limited || !view.options.includes('--no-walk'));
      case 'untracked':
        return this.names(['ls-files', '-o', '-z', '--full-name', ...view.options, '--', ...view.paths]);
      case 'anything':
        return this.all();
    }
  }

  /** The folder of the repository; `undefined` where it cannot be found out. */
  async root(): Promise<string | undefined> {
    let root: string | undefined;
    await this.ask(['rev-parse', '--show-toplevel'], (part) => {
      root ??= part;
      return true;
    });
    return root;
  }

  private async shown(view: StoredView, withoutCommits: boolean): Promise<Found> {
    const [kinds, commits] = await Promise.all([this.kinds(view.operands), withoutCommits ? NONE : this.commits(view)]);
    // Of a folder only the names are shown.
    const others = kinds !== undefined && kinds.length > 0 && kinds.every(({ type }) => type === 'blob' || type === 'tree');
    return merged([await this.blobs(kinds), others ? NONE : commits]);
  }

  private commits({ options, operands, paths }: StoredView): Promise<Found> {
    // What is followed is known by its names of before as well.
    return this.changes([...LOG, options.includes('--follow') ? '-M' : '--no-renames', ...options, ...operands, ...behind(paths)]);
  }

  private async difference({ options, operands, paths }: StoredView, limited: boolean): Promise<Found> {
    const changes = limited ? NONE : this.changes(['diff', '--no-renames', ...RAW, ...options, ...operands, ...behind(paths)]);
    const [kinds, changed] = await Promise.all([this.kinds(operands), changes]);
    // In a folder without a name, no file has its whole name.
    if (kinds === undefined || kinds.some(({ type, named }) => type === 'tree' && !named)) return UNKNOWN;
    return merged([await this.blobs(kinds), changed]);
  }

  private async files({ operands, paths }: StoredView, limited: boolean): Promise<Found> {
    const kinds = await Promise.all(operands.map(async (word) => ({ word, kinds: await this.kinds([word]) })));
    if (kinds.some((one) => one.kinds === undefined)) return UNKNOWN;
    const versions = kinds.filter((one) => one.kinds?.some(({ type }) => type !== 'missing'));
    if (versions.some((one) => one.kinds?.some(({ type, named }) => type === 'tree' && !named))) return UNKNOWN;
    if (limited) return this.blobs(versions.flatMap((one) => one.kinds ?? []));
    const names = kinds.filter((one) => !versions.includes(one)).map(({ word }) => word);
    if (versions.length === 0) return this.names(['ls-files', '-z', '--full-name', '--', ...names, ...paths]);
    const blobs = await this.blobs(versions.flatMap((one) => one.kinds ?? []));
    const trees = versions.filter((one) => one.kinds?.some(({ type }) => type !== 'blob'));
    return merged([blobs, ...(await Promise.all(trees.map(({ word }) => this.names(['ls-tree', '-r', '-z', '--name-only', '--full-tree', word]))))]);
  }

  /** Blobs that are named by their ids alone: an ordinary one is stored somewhere, and nowhere under the name of a secret file. */
  private async blobs(kinds: readonly Kind[] | undefined): Promise<Found> {
    if (kinds === undefined) return UNKNOWN;
    const ids = kinds.filter(({ type, named }) => type === 'blob' && !named).map(({ id }) => id);
    if (ids.length === 0) return NONE;
    const all = await this.all();
    const hits = ids.map((id) => all.ids.get(id));
    if (hits.includes(true)) return { secrets: all.secrets, result: 'whole' };
    return all.result !== 'part' && hits.every((hit) => hit === false) ? NONE : UNKNOWN;
  }

  /** Resolves words to versions or objects; of a range, its ends. `undefined` when that cannot be decided. */
  private async kinds(words: readonly string[]): Promise<readonly Kind[] | undefined> {
    const asked = words.flatMap(endsOf);
    if (asked.length === 0) return [];
    // What goes back from where the repository is, is a commit: no need to ask.
    if (words.every((word) => OF_HEAD.test(word))) return asked.map(() => ({ type: 'commit', id: '', named: false }));
    if (asked.some(({ object }) => object.includes('\n'))) return undefined;
    const kinds: Omit<Kind, 'named'>[] = [];
    const input = asked.map(({ object }) => `${object}\n`).join('');
    const result = await this.ask(
      ['cat-file', '--batch-check=%(objecttype) %(objectname)'],
      (line) => {
        const [, type = 'missing', id = ''] = /^(blob|tree|commit|tag) ([\da-f]{40,64})$/.exec(line) ?? [];
        if (line.endsWith(' ambiguous')) return false;
        kinds.push({ type, id });
        return true;
      },
      input,
    );
    if (result === 'nothing') return [];
    if (result !== 'whole' || kinds.length !== asked.length) return undefined;
    // Below a folder without a name, a name is not the whole one.
    return asked.flatMap(({ role }, index) => {
      const kind = kinds[index];
      return kind === undefined || role === 'base' ? [] : [{ ...kind, named: role === 'path' && kinds[index - 1]?.type !== 'tree' }];
    });
  }

  /** All that the repository has, now and in any version that is still known by a name or was lately. */
  private all(): Promise<Found & { readonly ids: ReadonlyMap<string, boolean> }> {
    this.everything ??= this.lookAtAll();
    return this.everything;
  }

  private async lookAtAll(): Promise<Found & { readonly ids: ReadonlyMap<string, boolean> }> {
    const ids = new Map<string, boolean>();
    const learn = (meta: readonly string[], path: string): void => {
      for (const id of meta) ids.set(id, ids.get(id) === true || isSecretName(path));
    };
    const stored = await this.changes([...LOG, '--no-renames', '--all', '--reflog'], learn);
    const now = await this.names(['ls-files', '-z', '-s', '--full-name'], learn);
    return { ...merged([stored.result === 'nothing' ? NONE : stored, now]), ids };
  }

  /** The secret files in a raw list of changes: before each path, or two, stands what is known of it. */
  private async changes(args: readonly string[], learn?: (ids: readonly string[], path: string) => void): Promise<Found> {
    let ids: readonly string[] = [];
    return this.collect(args, (part) => {
      if (part.startsWith(':')) {
        ids = part.match(/\b[\da-f]{40,64}\b/g) ?? [];
        return undefined;
      }
      learn?.(ids, part);
      return (this.objects += 1) > MAX_OBJECTS ? false : part;
    });
  }

  private async names(args: readonly string[], learn?: (ids: readonly string[], path: string) => void): Promise<Found> {
    let count = 0;
    return this.collect(args, (part) => {
      const [, id, staged] = /^\d+ ([\da-f]{40,64}) \d\t(.*)$/s.exec(part) ?? [];
      const path = staged ?? part;
      if (id !== undefined) learn?.([id], path);
      return (count += 1) > MAX_NAMES ? false : path;
    });
  }

  /** @param pathOf the path that a part of the list names; `false` ends it. */
  private async collect(args: readonly string[], pathOf: (part: string) => string | false | undefined): Promise<Found> {
    const secrets = new Set<string>();
    const result = await this.ask(args, (part) => {
      const path = pathOf(part);
      if (typeof path === 'string' && isSecretName(path)) secrets.add(path);
      return path !== false && secrets.size < MAX_SECRETS;
    });
    return { secrets: [...secrets], result };
  }

  private ask(args: readonly string[], visit: (part: string) => boolean, input?: string): Promise<Found['result']> {
    const timeoutMs = this.until - performance.now();
    if (timeoutMs <= 0) return Promise.resolve('part');
    return this.list({ folder: this.folder, args, ...present({ input }), timeoutMs }, visit, this.signal);
  }
}

function behind(paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : ['--', ...paths];
}

function merged(all: readonly Found[]): Found {
  const result = all.some((one) => one.result === 'part') ? 'part' : all.every((one) => one.result === 'nothing') ? 'nothing' : 'whole';
  return { secrets: [...new Set(all.flatMap(({ secrets }) => secrets))], result };
}

/** A requested object: a single one, a path, or the version in which the path behind it is. */
interface Asked {
  readonly object: string;
  readonly role: 'alone' | 'base' | 'path';
}

/** The objects at the ends of what a word stands for (gitrevisions(7)): `A..B`, `^A`, `A^!`, `A:path`; a tag counts as what it is of. */
function endsOf(word: string): readonly Asked[] {
  const colon = word.replaceAll(/\{[^}]*\}/g, (braces) => ' '.repeat(braces.length)).indexOf(':');
  if (colon > 0 && colon < word.length - 1)
    return [
      { object: `${word.slice(0, colon)}^{}`, role: 'base' },
      { object: word, role: 'path' },
    ];
  if (/^:[^/]/s.test(word))
    return [
      { object: 'HEAD^{commit}', role: 'base' },
      { object: word, role: 'path' },
    ];
  return word
    .replace(/^\^/, '')
    .split(/\.{2,3}(?!\/)/)
    .map((end) => end.replace(/\^(?:[@!]|-\d*|\{tree\})$/, ''))
    .filter((end) => end !== '')
    .map((end) => ({ object: `${end}^{}`, role: 'alone' }));
}
