import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSecret } from '../../../../src/permission/files/sensitive-paths.js';
import { preparedFolder } from '../../../support/prepared-folder.js';
import { git } from './repository-shapes.js';
import { HAS_BUBBLEWRAP, type Rig, sandboxRig } from './rig.js';

/** What asks Git whether something was changed. */
const QUESTIONS = [
  ...['git status --porcelain', 'git status --short -uno', 'git diff --stat', 'git diff --name-status HEAD', 'git ls-files -m -d'],
  ...['git diff-index --name-only HEAD', 'git stash list', 'git describe --always --dirty --exclude=*'],
]
  .map((question) => `${question} 2>/dev/null`)
  .join('; ');
/** Files of a repository; the last ones are hidden. */
const FILES = [
  ...([
    ['a.txt', 'a\n'],
    ['.env', 'KEY=canary\n'],
    ['sub/.env.local', 'KEY=canary\n'],
    ['private/s.txt', 'canary\n'],
  ] as const),
  ...([
    ['private/deep/[x] ä.txt', 'canary\n'],
    ['server.pem', 'canary\n'],
  ] as const),
];

const copyRepository = preparedFolder((folder) => {
  git(folder, 'init', '-q');
  for (const [name, text] of FILES) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  git(folder, 'add', '-f', '.');
  git(folder, 'commit', '-qm', 'First');
});

/** A rig with a rule that hides `private`, and a committed repository with hidden files. @param folder of the repository below the base */
function hidingRig(folder = 'work'): Rig & { readonly root: string } {
  const rules = { key: 'rule', mayRead: (path: string) => !/\/private(\/|$)/.test(path) && !isSecret(path.slice(1)) };
  const rig = sandboxRig({ rules: () => Promise.resolve(rules) });
  const root = join(rig.base, folder);
  copyRepository(root);
  return { ...rig, root };
}

describe.runIf(HAS_BUBBLEWRAP)('Git in the sandbox, where a rule or their names hide files that it tracks', () => {
  it('reports no change that does not exist, and shows nothing of them', async () => {
    const { run, root } = hidingRig();
    const before = readFileSync(join(root, '.git/index'));
    const clean = await run(QUESTIONS);
    expect(clean.output.trim()).toBe(git(root, 'describe', '--always').trim());
    const readers = ['git grep canary', 'git grep --untracked canary', 'git diff HEAD', 'git blame -s .env', 'cat .env private/s.txt'];
    const { output } = await run(`${readers.join('; ')}; git ls-files -s | wc -l`);
    expect(output).not.toMatch(/(?:=|^|:)canary/m);
    expect(output).toContain('6\n');
    expect(readFileSync(join(root, '.git/index'))).toEqual(before);
  });

  it('reports those that exist, as they come and go', async () => {
    const { run, root } = hidingRig();
    const same = async (): Promise<void> => expect((await run('git status --porcelain 2>/dev/null')).output).toBe(git(root, 'status', '--porcelain'));
    await same();
    writeFileSync(join(root, '.env'), 'KEY=other\n');
    writeFileSync(join(root, 'a.txt'), 'b\n');
    await same();
    writeFileSync(join(root, 'sub/.env.local'), 'other\n');
    git(root, 'add', '-f', '.env');
    await same();
    git(root, 'commit', '-qm', 'Second');
    await same();
    writeFileSync(join(root, 'sub/.env.local'), 'KEY=canary\n');
    await same();
    rmSync(join(root, 'server.pem'));
    writeFileSync(join(root, 'new.pem'), 'x');
    await same();
    git(root, 'checkout', '-q', '--', 'server.pem');
    await same();
  });

  it('does so in a part of a repository, in a repository below, and in a linked worktree', async () => {
    const part = hidingRig('.');
    const { run } = sandboxRig({ folders: () => [join(part.base, 'sub')] });
    expect((await run('git status --porcelain -- .', { cwd: join(part.base, 'sub') })).output).toBe('');
    const below = hidingRig('work/deep/er');
    expect((await below.run('git -C deep/er status --porcelain 2>/dev/null')).output).toBe('');
    const tree = join(below.base, 'tree');
    git(below.root, 'worktree', 'add', '-q', tree);
    expect((await sandboxRig({ folders: () => [tree] }).run('git status --porcelain 2>/dev/null', { cwd: tree })).output).toBe('');
  });

  it('holds with a split index, too', async () => {
    const { run, root } = hidingRig();
    execFileSync('git', ['update-index', '--split-index'], { cwd: root });
    const names = execFileSync('ls', ['.git'], { cwd: root, encoding: 'utf8' });
    expect((await run('git status --porcelain 2>/dev/null')).output).toBe('');
    expect(execFileSync('ls', ['.git'], { cwd: root, encoding: 'utf8' })).toBe(names);
  });
});
