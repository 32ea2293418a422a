import { randomBytes } from 'node:crypto';
import { GitFailure } from './run-git.js';
import type { ViewRun } from './view.js';

/** What a tree says of a path. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** The content of a blob, or why it is not read: it is too large, or a filter of the user’s settings fails for it. */
export type Sized = Buffer | 'too_large' | 'filter_failed';

/** How much is read of each blob, and of all, in bytes. */
interface Limits {
  readonly each: number;
  readonly all: number;
}

/** Mode of a link in a tree. */
export const LINK = '120000';
/** How much is read by one command, in bytes as stored. Files can grow when they are converted, and an answer has a limit. */
const TOGETHER = 16 * 1024 * 1024;

/** Blobs that were read. */
export class Contents {
  private readonly read = new Map<string, Sized>();

  set(entry: TreeEntry, content: Sized): void {
    this.read.set(keyOf(entry), content);
  }

  get(entry: TreeEntry): Sized | undefined {
    return this.read.get(keyOf(entry));
  }
}

/** The same blob is converted as its path says, and not at all as the target of a link. */
function keyOf({ path, mode, id }: TreeEntry): string {
  return `${mode === LINK ? 'link' : 'file'} ${id} ${path}`;
}

/**
 * Reads blobs as a checkout would write them. Those over a limit are not read; the first ones come first.
 * @param entries none of them a submodule
 * @throws GitFailure when it is not certain which content belongs to which blob
 */
export async function contentsOf(run: ViewRun, entries: readonly TreeEntry[], limits: Limits): Promise<Contents> {
  const contents = new Contents();
  const sizes = await sizesOf(run, entries);
  let sum = 0;
  let together = 0;
  const batches: TreeEntry[][] = [];
  for (const entry of entries) {
    const size = sizes.get(entry.id);
    if (size === undefined || size > limits.each || sum + size > limits.all) {
      contents.set(entry, 'too_large');
      continue;
    }
    sum += size;
    together += size;
    if (batches.length === 0 || together > TOGETHER) {
      batches.push([]);
      together = size;
    }
    batches.at(-1)?.push(entry);
  }
  for (const batch of batches) await readBatch(run, batch, contents);
  return contents;
}

/** Sizes as stored, by id; none of a blob that is not there. */
async function sizesOf(run: ViewRun, entries: readonly TreeEntry[]): Promise<ReadonlyMap<string, number>> {
  const ids = [...new Set(entries.map(({ id }) => id))];
  if (ids.length === 0) return new Map();
  const { output } = await run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input: lines(ids) });
  const answers = output.toString('utf8').split('\n');
  if (answers.length !== ids.length + 1) throw new GitFailure('cat-file', `it answered ${answers.length - 1} of ${ids.length} questions.`);
  return new Map(
    ids.flatMap((id, index) => {
      const [named, size = ''] = (answers[index] ?? '').split(' ');
      if (named !== id) throw new GitFailure('cat-file', `it answered “${answers[index]}” for ${id}.`);
      return /^\d+$/.test(size) ? [[id, Number(size)]] : [];
    }),
  );
}

async function readBatch(run: ViewRun, batch: readonly TreeEntry[], contents: Contents): Promise<void> {
  const links = batch.filter(({ mode }) => mode === LINK);
  const files = batch.filter(({ mode }) => mode !== LINK);
  await readBlobs(run, links, { filters: false, contents });
  try {
    await readBlobs(run, files, { filters: true, contents });
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    // A filter of the user’s that needs a network, for example. What is stored in place of such a file must not pass for its content.
    const filtered = await filteredPaths(run, files);
    if (filtered.size === 0) throw error;
    for (const entry of files) if (filtered.has(entry.path)) contents.set(entry, 'filter_failed');
    const others = files.filter(({ path }) => !filtered.has(path));
    await readBlobs(run, others, { filters: true, contents });
  }
}

/** Paths that attributes pass through a filter of the settings. */
async function filteredPaths(run: ViewRun, entries: readonly TreeEntry[]): Promise<ReadonlySet<string>> {
  const { output } = await run(['check-attr', '--stdin', '-z', 'filter'], { input: entries.map(({ path }) => `${path}\0`).join('') });
  // The path, the name of the attribute, and its value, which can be empty.
  const parts = output.toString('utf8').split('\0');
  return new Set(parts.filter((_, index) => index % 3 === 0 && !['unspecified', 'unset', undefined].includes(parts[index + 2])));
}

/**
 * Reads blobs with one command. The size that Git tells of a converted one is the size before that. So the end of each is where Git answers a question for
 * something that is not there, by a name that no content can have because it is made up only now. Format: git-cat-file(1), "Batch output".
 */
async function readBlobs(
  run: ViewRun,
  entries: readonly TreeEntry[],
  { filters, contents }: { readonly filters: boolean; readonly contents: Contents },
): Promise<void> {
  if (entries.length === 0) return;
  const end = `end-${randomBytes(24).toString('base64url')}`;
  // A newline would end the path; which filters apply to such a name is nothing that anybody decides on.
  const asked = entries.flatMap(({ id, path }) => (filters ? [`${id} ${path.replaceAll('\n', '?')}`, `${end} ${end}`] : [id, end]));
  const { output } = await run(['cat-file', '--batch', ...(filters ? ['--filters'] : [])], { input: lines(asked) });
  const mark = `\n${end} missing\n`;
  let at = 0;
  for (const entry of entries) {
    const start = output.indexOf('\n', at) + 1;
    // The newline behind an empty content is the one with which the mark begins.
    const stop = output.indexOf(mark, start);
    const [id, type] = output.toString('utf8', at, start - 1).split(' ');
    if (start === 0 || stop === -1 || id !== entry.id || type !== 'blob') throw new GitFailure('cat-file', `it did not answer for ${entry.id}.`);
    contents.set(entry, output.subarray(start, stop));
    at = stop + mark.length;
  }
  if (at !== output.length) throw new GitFailure('cat-file', 'it answered more than it was asked.');
}

function lines(asked: readonly string[]): string {
  return asked.map((line) => `${line}\n`).join('');
}
