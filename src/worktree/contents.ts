import { GitFailure } from './run-git.js';
import type { ViewRun } from './view.js';

/** What a tree says of a path. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** The content of a blob, or that it is too large to be read. */
export type Sized = Buffer | 'too_large';

/** How much is read of each blob, and of all, in bytes. */
interface Limits {
  readonly each: number;
  readonly all: number;
}

/**
 * Reads blobs as a checkout would write them, by `id path`. Those over a limit are not read; the first ones come first.
 * @param entries none of them a submodule
 */
export async function contentsOf(run: ViewRun, entries: readonly TreeEntry[], limits: Limits): Promise<ReadonlyMap<string, Sized>> {
  if (entries.length === 0) return new Map();
  const sizes = (await run(['cat-file', '--batch-check=%(objectsize)'], { input: `${entries.map(({ id }) => id).join('\n')}\n` })).output
    .toString('utf8')
    .split('\n');
  const contents = new Map<string, Sized>();
  const wanted: TreeEntry[] = [];
  let sum = 0;
  for (const [index, entry] of entries.entries()) {
    const size = Number(sizes[index]);
    if (!(size <= limits.each) || sum + size > limits.all) contents.set(keyOf(entry), 'too_large');
    else {
      wanted.push(entry);
      sum += size;
    }
  }
  const bytes = await batch(run, wanted);
  for (const [index, entry] of wanted.entries()) contents.set(keyOf(entry), bytes[index] ?? 'too_large');
  return contents;
}

async function batch(run: ViewRun, wanted: readonly TreeEntry[]): Promise<readonly Buffer[]> {
  if (wanted.length === 0) return [];
  try {
    // A newline would end the path; which filters apply to such a name is nothing that anybody decides on.
    const input = wanted.map(({ id, path }) => `${id} ${path.replaceAll('\n', '?')}\n`).join('');
    return parts((await run(['cat-file', '--batch', '--filters'], { input })).output);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    // A filter of the user’s that needs a network, for example, failed: then the content is as it is stored.
    return parts((await run(['cat-file', '--batch'], { input: wanted.map(({ id }) => `${id}\n`).join('') })).output);
  }
}

/** Format: git-cat-file(1), "Batch output". */
function parts(output: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at);
    const size = Number(output.toString('utf8', at, end).split(' ').at(-1));
    if (!Number.isSafeInteger(size)) throw new GitFailure('cat-file', output.toString('utf8', at, end));
    found.push(output.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return found;
}

function keyOf({ id, path }: TreeEntry): string {
  return `${id} ${path}`;
}
