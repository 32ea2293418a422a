import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import { namesIn } from '../node/files/names-in.js';
import { hashFile } from '../node/files/read-bytes.js';
import type { ProcessProbe } from '../session/lock/process-probe.js';
import { rawChanges, SUBMODULE } from './change-set.js';
import { exactParts, placeIn, shownName } from './exact-names.js';
import { holdersOf } from './holders.js';
import { listedUntracked } from './listed-files.js';
import { processesInside } from './processes-inside.js';
import type { Reason } from './reasons.js';
import { agentRepository, isPartOf, ownPlace, type Worktree } from './record.js';
import { type MainRepository, objectsOf, tipsOf } from './repository.js';
import { lineOf, runGit } from './run-git.js';
import { unkeptOf } from './unkept.js';
import { seeWork } from './see-work.js';
import { viewOf, withIndex } from './view.js';
import { walkTree } from './walk-unit.js';

/** What a worktree is judged with. */
export interface ProofGround {
  readonly main: MainRepository;
  readonly probe: ProcessProbe;
  /** {@link processesInside}; another one where that would have to look at all processes a thousand times. */
  readonly processes?: typeof processesInside;
}

/** The most bytes of a listed file that are compared; a larger one counts as changed. */
const MAX_LISTED_BYTES = 1024 * 1024 * 1024;
/** The most commits, files, and objects that are named. */
const MAX_NAMED = 20;
/** What Git itself has in its folder when nothing is under way. With anything else, somebody has begun something, or keeps something there. */
const USUAL: ReadonlySet<string> = new Set([
  ...['HEAD', 'config', 'description', 'hooks', 'info', 'objects', 'refs', 'logs', 'index', 'packed-refs', 'branches', 'shallow'],
  ...['ORIG_HEAD', 'FETCH_HEAD', 'COMMIT_EDITMSG', 'SQUASH_MSG', 'gc.log', 'gitk.cache'],
]);
/** Folders that Git leaves behind empty. */
const EMPTY_OR_WORK = ['worktrees', 'modules', 'lfs'];
/** A file that leads to commits which no reference leads to. */
const GRAFTS = join('info', 'grafts');
/** A history that an agent’s repository could claim to have does not count. */
const TRUE_HISTORY = ['-c', 'core.commitGraph=false'];

/** Why a folder for a worktree cannot be removed, whether it has a record or not; nothing where it can be. */
export async function reasonsToKeep(unit: string, worktree: Worktree | undefined, ground: ProofGround, signal: AbortSignal): Promise<readonly Reason[]> {
  if (worktree !== undefined) return proveSafe(worktree, ground, signal);
  const used = (await holdersOf(unit, ground.probe)).map(({ as, pid }) => ({ kind: 'in_use' as const, as, pid }));
  if (used.length > 0) return used;
  // Creating was cut off before there was a file in it.
  const folders = (await namesIn(unit)).filter((name) => name !== basename(ownPlace(unit)));
  const filled = await Promise.all(folders.map((name) => hasFiles(join(unit, name), signal)));
  return filled.includes(true) ? [{ kind: 'unknown_folder' }] : [];
}

/**
 * Proves that nothing is lost with a worktree: that everything in it is kept somewhere else, and that nobody uses it. It believes nothing that was noted
 * before, such as what the worktree began with or who worked in it, and looks at the files, the index, and all commits itself.
 * @returns why not; nothing where it is proved
 */
async function proveSafe(worktree: Worktree, ground: ProofGround, signal: AbortSignal): Promise<readonly Reason[]> {
  const steps = [usedNow, unusualParts, unkeptCommits, unkeptFiles, unkeptSnapshot];
  const reasons: Reason[] = [];
  for (const step of steps) {
    try {
      reasons.push(...(await step(worktree, ground, signal)));
    } catch (error) {
      signal.throwIfAborted();
      // What cannot be looked at is not proved.
      reasons.push({ kind: 'not_proved', detail: errorMessage(error) });
    }
  }
  return reasons;
}

async function usedNow(worktree: Worktree, { probe, processes = processesInside }: ProofGround, signal: AbortSignal): Promise<readonly Reason[]> {
  const { unit, record } = worktree;
  const holders = await holdersOf(unit, probe);
  const inside = await processes(unit, signal);
  return [
    ...(record.locked === undefined ? [] : [{ kind: 'locked' as const, why: record.locked }]),
    ...holders.map(({ as, pid }) => ({ kind: 'in_use' as const, as, pid })),
    ...(inside === undefined ? [{ kind: 'processes_unknown' as const }] : inside.map(({ pid, path }) => ({ kind: 'process' as const, pid, path }))),
  ];
}

/** What Git would not see, or what it could not show as it is. */
async function unusualParts(worktree: Worktree, _: ProofGround, signal: AbortSignal): Promise<readonly Reason[]> {
  const { unit, tree } = worktree;
  const repository = agentRepository(worktree);
  const { repositories, mounted, unreadable } = await walkTree(tree, signal);
  const strange = (await readdir(unit)).filter((name) => !isPartOf(worktree, name));
  const names = await namesIn(repository);
  const work = await Promise.all([...EMPTY_OR_WORK, GRAFTS].map(async (name) => ((await hasFiles(join(repository, name), signal)) ? [name] : [])));
  const underWay = names.filter((name) => !USUAL.has(name) && !EMPTY_OR_WORK.includes(name) && !name.endsWith('.lock'));
  const locks = names.filter((name) => name.endsWith('.lock'));
  const said = (kind: 'nested' | 'mounted' | 'unreadable' | 'foreign' | 'under_way' | 'lock_file', paths: readonly string[]): readonly Reason[] =>
    paths.length === 0 ? [] : [{ kind, paths: paths.slice(0, MAX_NAMED), count: paths.length }];
  const inTree = (paths: readonly string[]): readonly string[] => paths.map((path) => relative(tree, path));
  return [
    ...said('nested', inTree(repositories)),
    ...said('mounted', inTree(mounted)),
    ...said('unreadable', inTree(unreadable)),
    ...said('foreign', strange),
    ...said('under_way', [...underWay, ...work.flat()]),
    ...said('lock_file', locks),
  ];
}

/** Commits of all references, of what is checked out, and of what the logs of references still know, stashes too. */
async function unkeptCommits(worktree: Worktree, { main }: ProofGround, signal: AbortSignal): Promise<readonly Reason[]> {
  if (await isGone(worktree)) return [];
  const { base } = worktree.record;
  const kept = [...(await tipsOf(main, signal)), ...(base.kind === 'snapshot' ? [base.commit] : [])];
  const args = [...TRUE_HISTORY, 'rev-list', '--all', '--reflog', '--stdin', `--max-count=${MAX_NAMED}`];
  const { output } = await runGit(agentPlace(worktree, main), args, { input: kept.map((id) => `^${id}\n`).join(''), signal });
  const commits = output.toString('utf8').split('\n').filter(Boolean);
  return commits.length === 0 ? [] : [{ kind: 'commits', commits }];
}

/** Files that are not as in the commit that is checked out, or only in the index, unless they are kept elsewhere, and ignored ones that count as work. */
async function unkeptFiles(worktree: Worktree, ground: ProofGround, signal: AbortSignal): Promise<readonly Reason[]> {
  const { main } = ground;
  if (await isGone(worktree)) return goneFiles(worktree, main, signal);
  const place = agentPlace(worktree, main);
  const head = lineOf(await runGit(place, ['rev-parse', '--verify', 'HEAD^{commit}'], { signal }));
  const staged = rawChanges((await runGit(place, [...TRUE_HISTORY, 'diff-index', '--cached', '--raw', '-z', '--no-abbrev', head], { signal })).output);
  return withIndex(viewOf(worktree, main), signal, async (run, index) => {
    const { nested, refused } = await seeWork(worktree, { run, index });
    const differing = rawChanges((await run(['diff-index', '--cached', '--raw', '-z', '--no-abbrev', head])).output);
    // A file that was not written yet when creating was interrupted is no work.
    const changes = differing.filter(({ status }) => !(worktree.record.state === 'creating' && status === 'D'));
    const inIndex = staged.filter(({ status }) => status !== 'D');
    // What is staged is proved beside what its file has: either can be kept elsewhere while the other is not.
    const unkept = new Set(await unkeptOf([...changes, ...inIndex], { worktree, main, modes: 'same' }, signal));
    const changed = changes.filter((change) => unkept.has(change)).map(({ path }) => path);
    const submodules = exactParts((await run(['ls-files', '--stage', '-z'])).output).filter((entry) => entry.startsWith(`${SUBMODULE} `));
    const filled = await Promise.all(submodules.map(async (entry) => ((await hasFiles(placeIn(worktree.tree, pathIn(entry)), signal)) ? [pathIn(entry)] : [])));
    const listed = await changedListed(worktree, main, { ...viewOf(worktree, main), index }, signal);
    return [
      ...fileReason('uncommitted', [...changed, ...refused]),
      ...fileReason(
        'staged',
        inIndex.filter((change) => unkept.has(change) && !changed.includes(change.path)).map(({ path }) => path),
      ),
      ...fileReason('nested', [...nested, ...filled.flat()]),
      ...fileReason('listed', listed),
    ];
  });
}

/** Of a working tree that is gone, there may be what a last look at it has stored. */
async function goneFiles(worktree: Worktree, main: MainRepository, signal: AbortSignal): Promise<readonly Reason[]> {
  const view = { ...viewOf(worktree, main), workTree: worktree.unit, index: ownPlace(worktree.unit, 'view', 'index') };
  const { output } = await runGit(view, ['diff-index', '--cached', '--raw', '-z', '--no-abbrev', worktree.record.base.commit], { signal });
  return fileReason(
    'gone',
    rawChanges(output)
      .filter(({ status }) => status !== 'D')
      .map(({ path }) => path),
  );
}

/** A snapshot is a copy of what the user had: once that is neither in the main checkout nor in a commit any more, it is the only one. */
async function unkeptSnapshot(worktree: Worktree, { main }: ProofGround, signal: AbortSignal): Promise<readonly Reason[]> {
  const { base } = worktree.record;
  if (base.kind === 'branch') return [];
  const view = viewOf(worktree, main);
  const from = base.head === undefined ? ['--root'] : [base.head];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-commit-id', '--no-renames', ...from, base.commit];
  const { output: raw } = await runGit({ gitFolder: view.gitFolder, objects: [objectsOf(main)] }, args, { signal });
  // Of a submodule, a snapshot has only the id of a commit.
  const files = rawChanges(raw).filter(({ status, modes }) => status !== 'D' && modes[1] !== SUBMODULE);
  const unkept = await unkeptOf(files, { worktree, main, modes: 'any' }, signal);
  return fileReason(
    'snapshot',
    unkept.map(({ path }) => path),
  );
}

/** @param place with an index that has all files but ignored ones */
async function changedListed(worktree: Worktree, main: MainRepository, place: ReturnType<typeof viewOf>, signal: AbortSignal): Promise<readonly string[]> {
  const listed = await listedUntracked(place, { patterns: worktree.record.listed, scratch: ownPlace(worktree.unit) }, signal);
  const same = await Promise.all(
    listed.map(async (path) => {
      const [here, there] = await Promise.all([worktree.tree, main.root].map((root) => hashOf(join(root, path), signal)));
      return here !== undefined && here === there;
    }),
  );
  return listed.filter((_, index) => same[index] !== true);
}

async function hashOf(path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const hash = await hashFile(path, MAX_LISTED_BYTES, signal);
    return 'sha256' in hash ? hash.sha256 : undefined;
  } catch {
    signal.throwIfAborted();
    // One that is missing, is a link, or cannot be read is not the same as any other: then the worktree stays.
    return undefined;
  }
}

/** The repository in a worktree. Its settings are an agent’s, so that only commands that read no file work there. */
function agentPlace(worktree: Worktree, main: MainRepository): Parameters<typeof runGit>[0] {
  return { gitFolder: agentRepository(worktree), objects: [objectsOf(main), ownPlace(worktree.unit, 'view', 'objects')] };
}

async function isGone({ tree }: Worktree): Promise<boolean> {
  return (await namesIn(tree)).length === 0;
}

/** Whether there is a file somewhere below, a file in place of the folder, or what cannot be looked into. */
async function hasFiles(folder: string | Buffer, signal: AbortSignal): Promise<boolean> {
  const { files, mounted, unreadable } = await walkTree(folder, signal);
  return files > 0 || mounted.length > 0 || unreadable.length > 0;
}

function fileReason(kind: 'uncommitted' | 'staged' | 'nested' | 'listed' | 'gone' | 'snapshot', paths: readonly string[]): readonly Reason[] {
  return paths.length === 0 ? [] : [{ kind, paths: paths.slice(0, MAX_NAMED).map(shownName), count: paths.length }];
}

function pathIn(entry: string): string {
  return entry.slice(entry.indexOf('\t') + 1);
}
