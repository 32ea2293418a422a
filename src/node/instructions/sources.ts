import { lstat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { formatNumber, t } from '../../domain/l10n.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { folderIn, modesOfRoo } from '../config/bases.js';
import { INSTRUCTION_FILES, placesOf, RULE_FOLDERS, type RulePlace } from '../config/place-table.js';
import { FOREIGN } from '../config/surroundings.js';
import { walkFiles } from '../config/walk-files.js';
import type { LinkReach } from '../files/link-reach.js';
import { realPathOf } from '../files/real-path.js';
import type { Delivery, Format } from './read-rule.js';

/** A place where a file with instructions can be. */
export interface Source {
  readonly path: string;
  readonly format: Format;
  readonly of: 'user' | 'workspace';
  /** The folder that it is for: patterns are relative to it. */
  readonly folder: string;
  /** When the model gets it, where its place says so and not its text. */
  readonly delivery?: Delivery;
  /** Why it is not read; it may stand for several files then. */
  readonly refusal?: string;
}

/** Folders between the workspace folder and a file that are looked into, the outermost first. */
const MAX_FOLDERS = 32;
/** Files with rules that are looked at in one folder. */
const MAX_RULES = 100;

/** Those for other tools, and those of Claude Code, which count as its other files do. */
const isForOthers = ({ form }: RulePlace): boolean => form !== 'claude';

/** Where and how sources are looked for. */
export interface Looking {
  /** What links may lead to. */
  readonly reach: LinkReach;
  readonly signal: AbortSignal;
}

/** Which files of the user count. */
export interface OwnChoice {
  /** Whether those for other tools do. */
  readonly others: boolean;
  /** What patterns are relative to. */
  readonly folder: string;
}

/** The user's own files, which apply in every workspace. */
export async function ownSources(home: string, { others, folder }: OwnChoice, looking: Looking): Promise<readonly Source[]> {
  const single = (form: string): readonly Source[] =>
    placesOf(INSTRUCTION_FILES, 'user').flatMap((place) => (place.form === form ? [{ path: join(home, place.at), format: 'plain', of: 'user', folder }] : []));
  const wanted = placesOf(RULE_FOLDERS, 'user').filter((place) => others || !isForOthers(place));
  const rules = await Promise.all(wanted.map((place) => rulesIn(home, place, looking)));
  const own = rules.flat().map((source): Source => ({ ...source, of: 'user', folder }));
  return [...(others ? single('others') : []), ...own, ...single('own')];
}

/** Those of a workspace folder, or of one above it. @param others whether the files of other tools count */
export async function sourcesIn(folder: string, others: boolean, looking: Looking): Promise<readonly Source[]> {
  const [rules, clineFile] = await Promise.all([ruleSources(folder, others, looking), others ? isFile(join(folder, '.clinerules')) : false]);
  const hasRulesOfRoo = rules.some(({ path }) => path.startsWith(join(folder, '.roo', 'rules', sep)));
  const without = new Set([...(clineFile ? [] : ['.clinerules']), ...(hasRulesOfRoo ? ['.roorules'] : [])]);
  const single = placesOf(INSTRUCTION_FILES, 'project').filter(({ at, form }) => others && form === 'others' && !without.has(at));
  return [...single.map(({ at }) => sourceIn(folder, at, 'plain')), ...rules, ...sharedIn(folder)];
}

/** Those of a workspace folder that are the user’s alone. */
export function localIn(folder: string): readonly Source[] {
  return placesOf(INSTRUCTION_FILES, 'local').map(({ at }) => sourceIn(folder, at, 'plain'));
}

/** Those of a folder below a workspace folder. */
export function sharedIn(folder: string): readonly Source[] {
  return placesOf(INSTRUCTION_FILES, 'project').flatMap(({ at, form }) => (form === 'shared' ? [sourceIn(folder, at, 'plain')] : []));
}

/** The rules of a folder. @param others whether those for other tools than Claude Code count */
export async function ruleSources(folder: string, others: boolean, looking: Looking): Promise<readonly Source[]> {
  const all = placesOf(RULE_FOLDERS, 'project');
  const modes = others ? await modesOfRoo(folder, 'rules') : [];
  const found = await Promise.all([
    ...(others ? all.filter(isForOthers) : []).map((place) => rulesIn(folder, place, looking)),
    ...modes.map((mode) => rulesOfMode(folder, mode, looking)),
    ...all.filter((place) => !isForOthers(place)).map((place) => rulesIn(folder, place, looking)),
  ]);
  return found.flat();
}

/** They are for a mode that Gnomon does not have, so the model only gets their paths. */
async function rulesOfMode(folder: string, mode: string, looking: Looking): Promise<readonly Source[]> {
  const found = await rulesIn(folder, { at: `.roo/rules-${mode}`, form: 'plain', ending: '' }, looking);
  return found.map((source) => ({ ...source, delivery: { when: 'asked', description: `what Roo Code keeps to in its mode “${mode}”` } }));
}

async function rulesIn(folder: string, { at, ending, form, without = [] }: Omit<RulePlace, 'of'>, { reach, signal }: Looking): Promise<readonly Source[]> {
  const place = folderIn({ path: folder, prefix: '', origin: { layer: 'project' }, reach }, at);
  const { files, problems } = await walkFiles(place, { name: (name) => name.endsWith(ending) && !name.startsWith('.') }, signal);
  const wanted = files.filter(({ parts: [first = '', ...rest] }) => rest.length === 0 || !without.includes(first));
  const source = (parts: readonly string[], refusal?: string): Source => {
    const found = sourceIn(folder, join(at, ...parts), form);
    return refusal === undefined ? found : { ...found, refusal };
  };
  const cut = wanted.length > MAX_RULES ? [source([], t('More than {0} files are in it. The others are not read.', formatNumber(MAX_RULES)))] : [];
  const refused = problems.filter(({ parts: [first = ''] }) => !without.includes(first)).map(({ parts, message }) => source(parts, message));
  return [...wanted.slice(0, MAX_RULES).map(({ parts, refusal }) => source(parts, refusal)), ...cut, ...refused];
}

function sourceIn(folder: string, name: string, format: Format): Source {
  return { path: join(folder, name), format, of: 'workspace', folder };
}

/** Whether there is something that is no folder. */
async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
}

/** A file in a workspace folder. */
export interface PlacedFile {
  /** The workspace folder. */
  readonly root: string;
  /** Names from there on. */
  readonly parts: readonly string[];
}

/** Where in the workspace a file is; `undefined` outside, and among the code of others. */
export async function placeOf(path: string, workspace: Workspace): Promise<PlacedFile | undefined> {
  const named = workspace.folders().map((folder) => folder.path);
  const roots = [...named, ...(await Promise.all(named.map((root) => realPathOf(root))))];
  const places = roots.map((root) => ({ root, parts: partsBelow(root, path) })).filter(({ parts }) => parts.length > 0);
  const [inner] = places.sort((a, b) => b.root.length - a.root.length);
  return inner === undefined || inner.parts.slice(0, -1).some((part) => FOREIGN.has(part)) ? undefined : inner;
}

/** The folders between a workspace folder and a file in it, outermost first. */
export function foldersTo({ root, parts }: PlacedFile): readonly string[] {
  const folders = parts.slice(0, Math.min(parts.length - 1, MAX_FOLDERS));
  return folders.map((_, index) => join(root, ...folders.slice(0, index + 1)));
}

function partsBelow(root: string, path: string): readonly string[] {
  const parts = relative(root, path).split(sep);
  return parts[0] === '' || parts[0] === '..' || /^[A-Za-z]:$/.test(parts[0] ?? '') ? [] : parts;
}
