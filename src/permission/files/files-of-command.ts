import type { CommandAnalysis, FileUse } from '../../domain/tool/command-analysis.js';
import { t } from '../../domain/l10n.js';
import { type Bases, fitsPath, pathInFolder } from '../rules/path-pattern.js';
import { protectedReason, isSecret } from './sensitive-paths.js';
import type { RuleSet } from '../rules/rule-set.js';
import type { Surroundings, WalkFolder } from '../surroundings.js';
import { join } from 'node:path';
import type { Documents } from '../../domain/workspace/documents.js';
import type { Workspace } from '../../domain/workspace/workspace.js';

/** Files that the text of one command may name; looking up more would keep the user waiting. */
const MAX_FILES = 200;

/** Services that look up the files of a command. */
interface Place {
  readonly rules: RuleSet;
  readonly bases: Bases;
  readonly surroundings: Surroundings;
}

/**
 * The files of a command line, with file patterns expanded and without words that name nothing special.
 * @returns the analysis with these files; one that is not readable where they cannot be found out.
 */
export async function filesOfCommand(analysis: CommandAnalysis, place: Place, signal: AbortSignal): Promise<CommandAnalysis> {
  const files: FileUse[] = [];
  for (const use of analysis.files) {
    const put = use.from === undefined ? [] : await putThere({ ...use, from: use.from }, place, signal);
    if (put === undefined) return { ...analysis, files, unreadable: t('What it copies from {0} could not be determined.', use.from ?? '') };
    files.push(...put);
    if (use.from !== undefined) continue;
    const found = await expanded(use, place.surroundings, signal);
    if (found === undefined)
      return { ...analysis, files, unreadable: t('The files matching {0} could not be determined.', `${use.path}/${use.pattern ?? ''}`) };
    files.push(...found.filter((one) => one.by !== 'word' || isSpecial(one, place)));
    if (files.length > MAX_FILES) return { ...analysis, files: files.slice(0, MAX_FILES), unreadable: t('It refers to more than {0} files.', MAX_FILES) };
  }
  return { ...analysis, files };
}

/** Whether a path is one that must not be touched unasked. */
function isSpecial({ path, kind }: FileUse, { rules, bases }: Place): boolean {
  const name = pathInFolder(path, bases);
  if (kind === 'read' ? isSecret(name) || bases.isSettings?.(path) === true : protectedReason(name) !== undefined) return true;
  const strict = [...rules.of('deny'), ...rules.of('ask')];
  return strict.some(
    ({ rule, path: pattern }) => rule.about === (kind === 'read' ? 'read' : 'edit') && pattern !== undefined && fitsPath(pattern, path, bases),
  );
}

async function expanded(use: FileUse, { workspace, documents, walk }: Surroundings, signal: AbortSignal): Promise<readonly FileUse[] | undefined> {
  if (use.follows !== undefined) return linksOut(use, walk, signal);
  if (use.pattern === undefined) return [use];
  if (documents === undefined) return [];
  try {
    const found = await expandPattern(use, { workspace, documents }, signal);
    return found?.map((path) => ({ kind: use.kind, path, by: use.by }));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** The protected files that come into being where all of a folder is put into another one; `undefined` where that cannot be found out. */
async function putThere(use: FileUse & { readonly from: string }, place: Place, signal: AbortSignal): Promise<readonly FileUse[] | undefined> {
  const { kind, path, by, from } = use;
  const { documents, workspace, walk } = place.surroundings;
  if (documents === undefined || walk === undefined) return [];
  try {
    const { real } = await workspace.locate(from);
    // A single file is listed itself.
    if ((await documents.stat(real, signal))?.type !== 'directory') return [];
    const found = new Set<string>();
    const whole = await walk(
      real,
      (entry) => {
        for (const name of [entry.path, entry.path.slice(entry.path.lastIndexOf('/') + 1)]) {
          const target = join(path, name);
          if (isSpecial({ kind, path: target, by }, place)) found.add(target);
        }
        return found.size <= MAX_FILES;
      },
      signal,
    );
    return whole ? [...found].map((target): FileUse => ({ kind, path: target, by })) : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** The links below a folder, each as a file that is read: where it leads is looked at as for any other. */
async function linksOut({ kind, path, by, follows }: FileUse, walk: WalkFolder | undefined, signal: AbortSignal): Promise<readonly FileUse[] | undefined> {
  const links: FileUse[] = [];
  const whole = await walk?.(
    path,
    (entry) => {
      if (follows === 'split' && /[\s'"\\]/.test(entry.path)) return false;
      if (entry.leadsTo !== undefined) links.push({ kind, path: `${path}/${entry.path}`, by });
      return links.length <= MAX_FILES;
    },
    signal,
  );
  return whole === true ? links : undefined;
}

/** Where a file pattern is expanded. */
interface PatternPlace {
  readonly workspace: Workspace;
  readonly documents: Pick<Documents, 'stat' | 'list'>;
}

/** The most names of one folder that are looked at, and the most folders. */
const MAX_NAMES = 9_999;
const MAX_FOLDERS = 500;

/**
 * Expands a file pattern to absolute paths; rather some more than one less. `?` and `[…]` match any text here, because
 * quotes are not known any more.
 * @returns `undefined` when that cannot be found out, or when there are too many.
 */
async function expandPattern({ path, pattern = '', hidden }: FileUse, place: PatternPlace, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const names = pattern.split('/').filter((name) => name !== '');
  let found: readonly string[] = [path];
  for (const name of names) {
    if (found.length > MAX_FOLDERS) return undefined;
    if (hidden !== true && !/[*?[\\]/.test(name)) found = found.map((folder) => join(folder, name));
    else {
      const inner = await Promise.all(found.map((folder) => namesIn(folder, place, signal)));
      if (inner.includes(undefined)) return undefined;
      const fits = expressionFor(name, hidden === true);
      found = found.flatMap((folder, at) => (inner[at] ?? []).filter((entry) => fits.test(entry)).map((entry) => join(folder, entry)));
    }
  }
  return found;
}

/** The names in a folder; empty when it is not a folder. */
async function namesIn(path: string, { workspace, documents }: PatternPlace, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const { real } = await workspace.locate(path);
  if ((await documents.stat(real, signal))?.type !== 'directory') return [];
  const { names, more } = await documents.list(real, MAX_NAMES, signal);
  return more ? undefined : names.map((name) => name.replace(/\/$/, ''));
}

/** Names that begin with a dot are only meant where the pattern begins with one, or where what compares them does not care. */
function expressionFor(name: string, hidden: boolean): RegExp {
  const wide = name.replace(/\[.*\]|[?\\]/gs, '*').replace(/\*+/g, '*');
  const source = wide
    .split('*')
    .map((part) => part.replace(/[$()+.^{|}[\]]/g, '\\$&'))
    .join('[^]*');
  return new RegExp(`^${hidden || name.startsWith('.') ? '' : '(?!\\.)'}${source}$`, hidden ? 'i' : '');
}
