import { join } from 'node:path';
import { type MayShow, mayShowFile } from '../../domain/workspace/search.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import type { CommitFacts } from '../../engine/one-shot/write-commit-message.js';
import { git, partsOf } from '../../node/process/git-command.js';
import { changedNames, diffOf, diffReport, newNames } from '../../node/process/git-diff.js';

/** Files whose changes are compared; the others are counted. */
const MAX_FILES = 300;
/** Commits whose messages show the style of the repository. */
const EARLIER = 12;

/** Check of which files a model may see. */
export interface CommitFiles {
  readonly workspace: Pick<Workspace, 'locate'>;
  readonly mayShow: MayShow;
}

/**
 * The diff of the next commit of a repository: staged changes, or all changes when nothing is staged.
 * @returns `undefined` when nothing has changed.
 * @throws Error when git is missing or fails.
 */
export async function commitFacts(root: string, begun: string, files: CommitFiles): Promise<CommitFacts | undefined> {
  const staged = await changedNames(root, 'staged');
  const scope = staged.length > 0 ? 'staged' : 'unstaged';
  const changed = staged.length > 0 ? staged : await changedNames(root, scope);
  const added = staged.length > 0 ? [] : await newNames(root);
  if (changed.length + added.length === 0) return undefined;
  const shown = await visible(changed.slice(0, MAX_FILES), root, files);
  const changes = diffReport({ diff: await diffOf(root, scope, shown), added, hidden: changed.length - shown.length });
  return { changes, earlier: await earlierMessages(root), branch: await branchOf(root), begun };
}

async function visible(names: readonly string[], root: string, { workspace, mayShow }: CommitFiles): Promise<readonly string[]> {
  const checked = await Promise.all(names.map(async (name) => (mayShowFile(await workspace.locate(join(root, name)), mayShow) ? [name] : [])));
  return checked.flat();
}

/** A repository without a commit has none, and no branch that git would tell. */
async function earlierMessages(root: string): Promise<readonly string[]> {
  const hasCommits = await succeeds(root, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  if (!hasCommits) return [];
  const output = await git(root, ['log', '-n', String(EARLIER), '--no-merges', '--no-show-signature', '--format=%B', '-z']);
  return partsOf(output)
    .map((message) => message.trim())
    .filter((message) => message !== '');
}

async function branchOf(root: string): Promise<string | undefined> {
  if (!(await succeeds(root, ['symbolic-ref', '--quiet', 'HEAD']))) return undefined;
  return (await git(root, ['symbolic-ref', '--short', 'HEAD'])).toString('utf8').trim();
}

/** Whether git says yes. That it cannot run at all was found out before. */
function succeeds(root: string, args: readonly string[]): Promise<boolean> {
  return git(root, args).then(
    () => true,
    () => false,
  );
}
