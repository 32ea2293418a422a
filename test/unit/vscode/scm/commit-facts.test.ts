import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { createReadGuard } from '../../../../src/permission/files/read-guard.js';
import type { CommitFacts } from '../../../../src/engine/one-shot/write-commit-message.js';
import { commitFacts } from '../../../../src/vscode/scm/commit-facts.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ruleBook } from '../../permission/rig.js';

let root: string;

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: root, stdio: 'pipe' });
}

async function facts(...rules: readonly string[]): Promise<CommitFacts | undefined> {
  const workspace = createWorkspace(() => [{ name: 'ws', path: root }], '/home/user');
  const mayShow = await createReadGuard({ workspace, home: '/home/user', caseInsensitive: false, rules: ruleBook(rules) });
  return commitFacts(root, 'begun', { workspace, mayShow });
}

const write = (name: string, text: string): Promise<void> => writeFile(join(root, name), text);

beforeEach(async () => {
  root = realpathSync(temporaryFolder());
  git('init', '-q', '-b', 'main');
  await write('a.txt', 'one\n');
});

describe('what a commit is about', () => {
  it('is what is staged, when something is: not the rest', async () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'feat: first\n\nBecause.');
    await write('a.txt', 'two\n');
    await write('b.txt', 'new\n');
    git('add', 'b.txt');
    const found = await facts();
    expect(found).toMatchObject({ branch: 'main', earlier: ['feat: first\n\nBecause.'], begun: 'begun' });
    expect(found?.changes).toContain('+new');
    expect(found?.changes).not.toContain('two');
  });

  it('is every change when nothing is staged, new files by their names', async () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    await write('a.txt', 'two\n');
    await write('b.txt', 'new\n');
    const changes = (await facts())?.changes ?? '';
    expect(changes).toContain('+two');
    expect(changes).toMatch(/New files that git does not know yet:\n {2}"?b\.txt/);
    expect(changes).not.toContain('+new');
  });

  it('is known in a repository without a commit, and on no branch', async () => {
    git('add', '-A');
    expect(await facts()).toMatchObject({ earlier: [], branch: 'main', changes: expect.stringContaining('+one') as string });
    git('commit', '-q', '-m', 'first');
    git('checkout', '-q', '--detach');
    await write('a.txt', 'two\n');
    expect(await facts()).toMatchObject({ branch: undefined });
  });

  it('is nothing when nothing has changed', async () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    expect(await facts()).toBeUndefined();
  });

  it('path-14 path-15 holds nothing of files that may not be shown without asking', async () => {
    await write('.env', 'SECRET=1\n');
    await write('private.txt', 'private words\n');
    git('add', '-f', '-A');
    const changes = (await facts('deny Read(private.txt)'))?.changes ?? '';
    expect(changes).toContain('+one');
    expect(changes).not.toMatch(/SECRET|private words/);
    expect(changes).toContain('[2 changed files not shown here.]');
  });

  it('conf-07 runs no program that the repository names', async () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    git('config', 'diff.external', 'touch PWN');
    git('config', 'core.fsmonitor', 'touch PWN');
    git('config', 'core.pager', 'touch PWN');
    git('config', 'log.showSignature', 'true');
    git('config', 'gpg.program', join(root, 'gpg.sh'));
    await write('a.txt', 'two\n');
    await facts();
    expect(execFileSync('ls', { cwd: root, encoding: 'utf8' })).not.toContain('PWN');
  });
});
