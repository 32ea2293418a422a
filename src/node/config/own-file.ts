import { join } from 'node:path';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';

/** Folders that distinguish the user's own files from others. */
export interface OwnPlaces {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
}

/**
 * Whether a file is in the user’s private folder for Gnomon. Those of other programs may be downloaded. Links count by
 * where they lead: what is linked into the folder may be a downloaded one.
 */
export async function isOwnFile({ layer, file }: Pick<ConfigOrigin, 'layer' | 'file'>, { home, folders }: OwnPlaces): Promise<boolean> {
  if (layer !== 'user') return false;
  const [real, own, ...open] = await Promise.all([file, join(home, '.gnomon'), ...folders].map(realOr));
  return real !== undefined && own !== undefined && isWithin(own, real) && !open.some((each) => each === undefined || isWithin(each, real));
}

/** The real path; `undefined` for one that cannot be resolved, which counts as not the user's own. */
function realOr(path: string): Promise<string | undefined> {
  return realPathOf(path).catch(() => undefined);
}
