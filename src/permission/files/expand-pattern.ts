import { join } from 'node:path';
import type { FileUse } from '../../domain/tool/command-analysis.js';
import type { Documents } from '../../domain/workspace/documents.js';
import type { Workspace } from '../../domain/workspace/workspace.js';

/** What is looked at to find what a file pattern stands for. */
export interface PatternPlace {
  readonly workspace: Workspace;
  readonly documents: Pick<Documents, 'stat' | 'list'>;
}

/** The most names of one folder that are looked at, and the most folders. */
const MAX_NAMES = 9_999;
const MAX_FOLDERS = 500;

/**
 * The files that a file pattern stands for now, as absolute paths; some more rather than one less. What a shell takes for
 * one character or one of several counts as any here, for quotes are not seen any more.
 * @returns `undefined` when that cannot be found out, or when there are too many.
 */
export async function expandPattern({ path, pattern = '' }: FileUse, place: PatternPlace, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const names = pattern.split('/').filter((name) => name !== '');
  let found: readonly string[] = [path];
  for (const name of names) {
    if (found.length > MAX_FOLDERS) return undefined;
    if (!/[*?[\\]/.test(name)) found = found.map((folder) => join(folder, name));
    else {
      const inner = await Promise.all(found.map((folder) => namesIn(folder, place, signal)));
      if (inner.includes(undefined)) return undefined;
      const fits = expressionFor(name);
      found = found.flatMap((folder, at) => (inner[at] ?? []).filter((entry) => fits.test(entry)).map((entry) => join(folder, entry)));
    }
  }
  return found;
}

/** The names in what may be a folder; none where it is none. */
async function namesIn(path: string, { workspace, documents }: PatternPlace, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const { real } = await workspace.locate(path);
  if ((await documents.stat(real, signal))?.type !== 'directory') return [];
  const { names, more } = await documents.list(real, MAX_NAMES, signal);
  return more ? undefined : names.map((name) => name.replace(/\/$/, ''));
}

/** Names that begin with a dot are only meant where the pattern begins with one. */
function expressionFor(name: string): RegExp {
  const wide = name.replace(/\[.*\]|[?\\]/gs, '*').replace(/\*+/g, '*');
  const source = wide.split('*').map((part) => part.replace(/[$()+.^{|}[\]]/g, '\\$&')).join('[^]*');
  return new RegExp(`^${name.startsWith('.') ? '' : '(?!\\.)'}${source}$`);
}
