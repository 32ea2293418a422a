import { join } from 'node:path';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';

/** Where files of the user are told from others. */
export interface OwnPlaces {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
}

/**
 * Whether a file is in the user’s folder for Gnomon, where nobody else puts files. Those of other programs may be downloaded. Links count by
 * where they lead: what is linked into the folder may be a downloaded one.
 */
export async function isOwnFile({ layer, file }: Pick<ConfigOrigin, 'layer' | 'file'>, { home, folders }: OwnPlaces): Promise<boolean> {
  if (layer !== 'user') return false;
  const [real, own, ...open] = await Promise.all([file, join(home, '.gnomon'), ...folders].map(realOr));
  return real !== undefined && own !== undefined && isWithin(own, real) && !open.some((each) => each === undefined || isWithin(each, real));
}

/** Where a path leads; `undefined` for one that cannot be looked at, which is nobody’s own. */
function realOr(path: string): Promise<string | undefined> {
  return realPathOf(path).catch(() => undefined);
}
