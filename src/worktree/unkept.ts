import { type RawChange, SUBMODULE } from './change-set.js';
import { filesInMain, type FoundFile } from './compare.js';
import type { Worktree } from './record.js';
import { inMain, type MainRepository, tipsOf } from './repository.js';

/** Where results of changes are looked for. */
interface KeptIn {
  readonly worktree: Worktree;
  readonly main: MainRepository;
  /** Whether a file is only kept with its mode (`same`), or with whatever mode (`any`). */
  readonly modes: 'same' | 'any';
}

/**
 * Of some changes those whose result is nowhere else: neither at the same path of the main checkout nor, as content, in a commit that references of the user
 * lead to and that is newer than what the worktree began with.
 *
 * What a deletion takes away is in the commit that is compared with, so that no content is lost with it. It is work all the same, and kept only where the
 * main checkout has no file at the path either.
 */
export async function unkeptOf(changes: readonly RawChange[], { worktree, main, modes }: KeptIn, signal: AbortSignal): Promise<readonly RawChange[]> {
  if (changes.length === 0) return [];
  const found = await filesInMain(worktree, main, [...new Set(changes.map(({ path }) => path))], signal);
  const unlike = changes.filter((change) => !isInCheckout(change, found.get(change.path) ?? { kind: 'absent' }, modes));
  if (!unlike.some(({ status }) => status !== 'D')) return unlike;
  const kept = await newObjects(worktree, main, signal);
  return unlike.filter((change) => !isInCommit(change, kept, modes));
}

/** Whether the main checkout has at the same path what a change has made. */
export function isInCheckout(
  { status, modes: [before, mode], ids }: Pick<RawChange, 'status' | 'modes' | 'ids'>,
  found: FoundFile,
  modes: KeptIn['modes'],
): boolean {
  // A folder is no file, but where there was a submodule, one says nothing.
  if (status === 'D') return found.kind === 'absent' || (found.kind === 'other' && before !== SUBMODULE);
  if (found.kind !== 'file' && found.kind !== 'link') return false;
  // Where the file system knows no such modes, all files look alike.
  return found.id === ids[1] && (modes === 'any' || process.platform === 'win32' || mode === (found.kind === 'link' ? LINK : found.mode));
}

/** Commits are asked for contents, not for modes: where only a mode was changed, its content says nothing. */
function isInCommit({ status, modes: [before, mode], ids }: RawChange, kept: ReadonlySet<string>, modes: KeptIn['modes']): boolean {
  return status !== 'D' && (modes === 'any' || status === 'A' || before === mode) && kept.has(ids[1]);
}

/** Ids of what commits of the user have that came after the worktree began. Objects from before are too many to look through, and count as not kept. */
async function newObjects({ record: { base } }: Worktree, main: MainRepository, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const began = base.kind === 'branch' ? base.commit : base.head;
  const before = began === undefined ? [] : [`^${began}`];
  const { output } = await inMain(main, ['rev-list', '--objects', '--no-object-names', ...(await tipsOf(main, signal)), ...before], signal);
  return new Set(output.toString('utf8').split('\n'));
}

/** Mode of a link in a tree. */
const LINK = '120000';
