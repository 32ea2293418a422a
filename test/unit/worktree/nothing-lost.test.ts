import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ALL_RUNS, runs } from '../../support/runs.js';
import { readWorktree, type Worktree, writeRecord } from '../../../src/worktree/record.js';
import { commitOnBranch } from '../../../src/worktree/commit-on-branch.js';
import { emptyTrash, KEPT_MS, removeWorktree } from '../../../src/worktree/trash.js';
import { COPIES, HAPPENINGS } from './histories.js';
import { going, made, probe, type Rig, rigWith } from './rig.js';

/** How many histories: 1,000 where all generated cases are tried, with another seed each time; otherwise the same few, as each needs many processes. */
const HISTORIES = ALL_RUNS ? 1_000 : runs(200);
const SEED = ALL_RUNS ? Math.floor(Math.random() * 2 ** 31) : 496_300_089;
/** Histories in the repository of one user. */
const IN_ONE = 20;
/** The most that happens in one. */
const MAX_LENGTH = 4;

/** A generator of numbers from 0 to 1 with a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A repository with an ignored file, a submodule, and another worktree in which a process runs. */
async function busyRig(): Promise<Rig> {
  const rig = await rigWith(
    'mkdir b; echo one > a.txt; echo tw > b/b.txt; printf ".env\\n*.tmp\\n" > .gitignore; git add .; ' +
      'git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,module; git commit -qm one; mkdir module',
  );
  rig.git('config', 'user.name', 'Ada');
  rig.git('config', 'user.email', 'ada@example.com');
  await made(rig, { branch: 'main' }, 'first');
  const sibling = await made(rig, { branch: 'main' }, 'sibling');
  const running = spawn('sleep', ['1000'], { cwd: sibling.tree, stdio: 'ignore' });
  onTestFinished(() => void running.kill('SIGKILL'));
  return rig;
}

/** A worktree as it is when it was made, by a copy of one. */
async function copied(rig: Rig, name: string): Promise<Worktree> {
  const [from, to] = ['first', name].map((one) => join(rig.home.folder, one));
  cpSync(from ?? '', to ?? '', { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const worktree = await readWorktree(to ?? '');
  if (worktree === undefined) throw new Error('There is no worktree to copy.');
  return writeRecord(worktree.unit, { ...worktree.record, name, id: `${name}-copy` });
}

/** All that the history has written into files that are not ignored, or that the repository of a worktree still knows. */
function textsIn(tree: string): string {
  return filesIn(tree, '-name "*.tmp"') + storedIn(tree, '--all --reflog --indexed-objects');
}

/** The content of all files below a folder whose names need not be in UTF-8, but for repositories. @param without what else is left out, as options of find(1) */
function filesIn(folder: string, without: string): string {
  if (!existsSync(folder)) return '';
  const script = `find . \\( -name .git -o ${without} \\) -prune -o -type f -exec cat {} +`;
  return execFileSync('sh', ['-c', script], { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, encoding: 'latin1', maxBuffer: 64 * 1024 * 1024 });
}

/** The content of all objects that a repository leads to. @param from which references */
function storedIn(folder: string, from: string): string {
  if (!existsSync(join(folder, '.git'))) return '';
  const script = `git --no-replace-objects rev-list --objects --no-object-names ${from} | git --no-replace-objects cat-file --batch`;
  return execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 });
}

/** What the user has: in the files of the main checkout, whoever wrote them there, and in commits. */
function textsOf(rig: Rig): string {
  const root = rig.main.root;
  return filesIn(root, '-false') + storedIn(root, '--exclude=refs/gnomon/* --all');
}

test(`E-75, E-42: no byte is lost in ${HISTORIES} random histories`, { timeout: 1_200_000 }, async () => {
  const seed = Number(process.env['GNOMON_SEED'] ?? SEED);
  console.log(`seed ${seed}: GNOMON_SEED=${seed} repeats these histories`);
  const random = randomFrom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  let rig: Rig | undefined;
  const removed: string[] = [];
  const stayed = new Map<string, number>();
  let committed = 0;
  for (let number = 0; number < HISTORIES; number += 1) {
    if (rig === undefined || number % IN_ONE === 0) rig = await busyRig();
    const name = `h${number}`;
    // With much else, a worktree stays for other reasons: so in every third one nothing happens but copies, at first each kind alone.
    const isAlone = number % 3 === 0 && number < 3 * COPIES.length;
    const copies = number % 3 === 0 ? [COPIES[(number / 3) % COPIES.length] ?? pick(COPIES), ...(isAlone ? [] : [pick(COPIES)])] : [];
    const snapshot = !isAlone && random() < 0.3;
    if (snapshot) {
      writeFileSync(join(rig.main.root, `user${number}`), `user-${seed}-${number}\n`);
      writeFileSync(join(rig.main.root, 'a.txt'), `tracked-${seed}-${number}\n`);
    }
    // One of a branch is a copy of the first one, with an index that knows nothing of the times of its files.
    const { unit, tree } = snapshot ? await made(rig, 'snapshot', name) : await copied(rig, name);
    const record = await readWorktree(unit);
    if (record !== undefined) await writeRecord(unit, { ...record.record, listed: ['.env'] });
    const happened = copies.length > 0 ? copies : Array.from({ length: Math.floor(random() * (MAX_LENGTH + 1)) }, () => pick(HAPPENINGS));
    if (copies.length === 0 && random() < 0.2) happened.push(pick(COPIES));
    if (snapshot && random() < 0.5)
      happened.push({ name: 'the user takes back what the snapshot has', script: `rm -f "$MAIN/user${number}"; git -C "$MAIN" checkout -q -f` });
    const lines = happened.map(({ script }, index) => `T=token-${seed}-${number}-${index}; ${script}`);
    run(tree, rig.main.root, lines);
    const history = `${name} (seed ${seed}): ${snapshot ? 'snapshot' : 'branch'}; ${happened.map((one) => one.name).join('; ')}`;
    const inside = random() < 0.05 && existsSync(tree) ? spawn('sleep', ['1000'], { cwd: tree, stdio: 'ignore' }) : undefined;
    const worktree = await readWorktree(unit);
    if (worktree === undefined) {
      expect(existsSync(unit), history).toBe(true);
      stayed.set('unknown_folder', (stayed.get('unknown_folder') ?? 0) + 1);
      continue;
    }
    // Looking at all processes takes as long as all else: it is done where there is one, and elsewhere the sibling’s are known not to be inside.
    const ground = { main: rig.main, probe, ...(inside === undefined ? { processes: () => Promise.resolve([]) } : {}) };
    // The way that the list leads on when one stays.
    if (random() < 0.5 && existsSync(tree)) {
      const wanted = { worktree, main: rig.main, branch: `c${number}`, message: 'all', begun: true, signal: going };
      if ((await commitOnBranch(wanted)).kind === 'committed') committed += 1;
    }
    const outcome = await removeWorktree(unit, rig.home, ground, going);
    if (inside !== undefined) expect(outcome, history).toMatchObject({ kind: 'stays' });
    inside?.kill('SIGKILL');
    if (outcome.kind === 'stays') {
      expect(existsSync(unit), history).toBe(true);
      for (const { kind } of outcome.reasons) stayed.set(kind, (stayed.get(kind) ?? 0) + 1);
      continue;
    }
    const live = textsIn(join(outcome.unit, worktree.record.folder)).match(/(?:token|user|tracked)-\d+-\d+(?:-\d+)?/g) ?? [];
    const emptied = await emptyTrash(rig.home, ground, Date.now() + KEPT_MS, going);
    expect(emptied, history).toEqual([{ unit: outcome.unit, reasons: [] }]);
    expect(existsSync(outcome.unit), history).toBe(false);
    const kept = live.length === 0 ? '' : textsOf(rig);
    expect(
      [...new Set(live)].filter((text) => !kept.includes(text)),
      history,
    ).toEqual([]);
    removed.push(history);
  }
  console.log(`${committed} committed; ${removed.length} removed; the others stayed: ${[...stayed].map(([kind, count]) => `${kind} ${count}`).join(', ')}`);
  // A proof that never succeeds would lose nothing either.
  expect(removed.length).toBeGreaterThan(HISTORIES / 10);
  expect(committed).toBeGreaterThan(HISTORIES / 10);
  expect(stayed.size).toBeGreaterThan(5);
});

function run(tree: string, main: string, lines: readonly string[]): void {
  mkdirSync(tree, { recursive: true });
  const who = { GIT_AUTHOR_NAME: 'Elf', GIT_AUTHOR_EMAIL: 'e@example.com', GIT_COMMITTER_NAME: 'Elf', GIT_COMMITTER_EMAIL: 'e@example.com' };
  // Each line alone: the folder can be gone after one.
  const script = ['copy() { rm -rf "$MAIN/$1"; cp "$1" "$MAIN/$1"; }', ...lines.map((line) => `( ${line} ) > /dev/null 2>&1 || true`)].join('\n');
  execFileSync('sh', ['-c', script], { cwd: tree, env: { ...process.env, ...who, MAIN: main, GIT_CEILING_DIRECTORIES: dirname(main) }, stdio: 'ignore' });
}
