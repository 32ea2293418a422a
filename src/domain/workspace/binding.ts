import type { UsedFile } from './used-file.js';

/** Part of something that runs that an approval cannot be bound to, so that changes go unnoticed. */
export type NotBound =
  /** A word that is only known when it runs: a variable, a pattern, a substitution. */
  | { readonly kind: 'word'; readonly text: string }
  /** A command line that could not be read as a whole. */
  | { readonly kind: 'line' }
  /** A program that decides itself what it loads, such as `make` by its file. */
  | { readonly kind: 'program'; readonly text: string }
  /** A script of the workspace that is bound itself, but may load others. */
  | { readonly kind: 'script'; readonly text: string }
  /** A variable by which programs find what they load. */
  | { readonly kind: 'variable'; readonly text: string }
  /** A program that runs code from its standard input. */
  | { readonly kind: 'input'; readonly text: string }
  /** A program with code among its arguments. */
  | { readonly kind: 'code'; readonly text: string }
  /** A package or an image without an exact version. */
  | { readonly kind: 'version'; readonly text: string }
  /** A file that the line itself writes. */
  | { readonly kind: 'written'; readonly text: string }
  /** A file outside of the workspace. */
  | { readonly kind: 'outside'; readonly text: string }
  /** A file or a folder with more than is looked at. */
  | { readonly kind: 'large'; readonly text: string };

/** Files and folders that an approval of something that runs is bound to. Missing ones, and those outside of the workspace, do not count. */
export interface Binding {
  /** Absolute, or relative to the workspace folder that it is for. */
  readonly files: readonly string[];
  /** Those of the files that are run as scripts, and may load others. */
  readonly scripts: readonly string[];
  /** Files that earlier versions looked at, to recognize their approvals. */
  readonly earlier: EarlierPaths;
  /** Folders of which all is bound, likewise. */
  readonly folders: readonly string[];
  readonly notBound: readonly NotBound[];
}

/** Paths with what they are relative to: absolute, or relative to the workspace folder. */
export interface EarlierPaths {
  readonly cwd: string;
  readonly paths: readonly string[];
}

/** A folder of the workspace as it is now. */
export interface UsedFolder {
  /** Relative to its workspace folder, with slashes. */
  readonly path: string;
  /** Number of its files, and SHA-256 in hex of their names and contents; absent beyond the limit. */
  readonly content?: { readonly files: number; readonly sha256: string };
}

/** Current content of everything that an approval is bound to. */
export interface Bound {
  readonly files: readonly UsedFile[];
  /** Those of the files that earlier versions did not look at. */
  readonly added: readonly UsedFile[];
  readonly folders: readonly UsedFolder[];
  readonly notBound: readonly NotBound[];
  /** Where these files and folders are: absolute paths without links. */
  readonly places: BoundPlaces;
}

/** Absolute paths, without links, of what approvals are bound to. */
export interface BoundPlaces {
  readonly files: readonly string[];
  /** Files that need not be there yet. */
  readonly expected: readonly string[];
  /** All below them counts. */
  readonly folders: readonly string[];
}

/** Of what runs nothing on this machine. */
export const NOTHING_BOUND: Bound = { files: [], added: [], folders: [], notBound: [], places: { files: [], expected: [], folders: [] } };

/** All of several. */
export function joinedPlaces(places: readonly BoundPlaces[]): BoundPlaces {
  const all = (key: keyof BoundPlaces): readonly string[] => places.flatMap((each) => each[key]);
  return { files: all('files'), expected: all('expected'), folders: all('folders') };
}
