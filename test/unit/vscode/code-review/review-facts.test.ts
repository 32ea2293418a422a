import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { createReadGuard } from '../../../../src/permission/files/read-guard.js';
import { type ReviewFacts, reviewFacts, reviewMessage } from '../../../../src/vscode/code-review/review-facts.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ruleBook } from '../../permission/rig.js';

let root: string;

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: root, stdio: 'pipe' });
}

async function facts(
  options: { readonly rules?: readonly string[]; readonly folder?: string; readonly signal?: AbortSignal } = {},
): Promise<ReviewFacts | undefined> {
  const workspace = createWorkspace(() => [{ name: 'ws', path: options.folder ?? root }], '/home/user');
  const mayShow = await createReadGuard({ workspace, home: '/home/user', caseInsensitive: false, rules: ruleBook(options.rules ?? []) });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return reviewFacts(root, { workspace, mayShow, signal: options.signal ?? new AbortController().signal, log });
}

const write = (name: string, text: string | Buffer): Promise<void> => writeFile(join(root, name), text);

beforeEach(async () => {
  root = realpathSync(temporaryFolder());
  git('init', '-q', '-b', 'main');
  await write('a.txt', 'one\ntwo\n');
});

describe('what a review of changes is about', () => {
  it('is what is staged, when something is; where there is more in a file, that is said', async () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    await write('a.txt', 'one\nTWO\n');
    git('add', '-A');
    await write('a.txt', 'zero\none\nTWO\n');
    await write('b.txt', 'new\n');
    const found = await facts();
    expect(found).toMatchObject({ scope: 'staged', files: 1, hidden: 0 });
    expect(found?.comparison).toContain('    2 +TWO');
    expect(found?.comparison).toMatch(/=== a\.txt \(.*not staged.*\)/);
    expect(found?.comparison).not.toMatch(/zero|new/);
  });

  it('is every change when nothing is staged, with new text files whole', async () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    await write('a.txt', 'one\n');
    await write('b é.txt', 'new\n');
    await write('c.bin', Buffer.from([0, 1, 2]));
    await write('.gitignore', 'ignored.txt\n');
    await write('ignored.txt', 'CANARY\n');
    const found = await facts();
    expect(found).toMatchObject({ scope: 'all', files: 4, left: ['c.bin (no lines to compare)'] });
    expect(found?.comparison).toContain('      -two');
    expect(found?.comparison).toContain('=== b é.txt (new)\n@@ -0,0 +1,1 @@\n    1 +new');
    expect(found?.comparison).not.toContain('CANARY');
  });

  it('is known in a repository without a commit; without any change there is nothing', async () => {
    git('add', '-A');
    expect((await facts())?.comparison).toContain('    1 +one');
    git('commit', '-q', '-m', 'first');
    expect(await facts()).toBeUndefined();
  });

  it('leaves out what may not be shown, new or not, and says how much that is', async () => {
    await write('.env', 'KEY=CANARY\n');
    await write('denied.txt', 'CANARY\n');
    git('add', '.env', 'a.txt');
    git('commit', '-q', '-m', 'first');
    await write('.env', 'KEY=CANARY2\n');
    await write('a.txt', 'one\n');
    const found = await facts({ rules: ['deny Read(denied.txt)'] });
    expect(found).toMatchObject({ files: 1, hidden: 2 });
    const [block] = found === undefined ? [] : reviewMessage(found);
    expect(JSON.stringify(block)).not.toContain('CANARY');
    expect(JSON.stringify(block)).toContain('[2 changed files not shown: it is not allowed. Do not look for them.]');
  });

  it('leaves out what lies outside of the workspace, also behind a link', async () => {
    await mkdir(join(root, 'inner'));
    await write('inner/in.txt', 'inside\n');
    await write('outside.txt', 'CANARY\n');
    await symlink(join(root, 'outside.txt'), join(root, 'inner/link.txt'));
    const found = await facts({ folder: join(root, 'inner') });
    expect(found).toMatchObject({ files: 1, hidden: 3 });
    expect(found?.comparison).toBe('=== in.txt (new)\n@@ -0,0 +1,1 @@\n    1 +inside');
  });

  it('path-15 leaves out a file that a rule denies by the name of a link to it', async () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    await symlink(join(root, 'a.txt'), join(root, 'link.txt'));
    expect(await facts()).toMatchObject({ files: 1, hidden: 0 });
    expect(await facts({ rules: ['deny Read(link.txt)'] })).toMatchObject({ files: 0, hidden: 1, comparison: '' });
  });

  it('says how many files were too many to look at', async () => {
    for (let file = 0; file < 503; file += 1) await write(`f${file}.txt`, 'x\n');
    const found = await facts();
    expect(found).toMatchObject({ files: 500, hidden: 0, beyond: 4 });
    expect(found === undefined ? '' : JSON.stringify(reviewMessage(found))).toContain('[4 changed files more: too many to be named here.');
  });

  it('names files for which there is no room', async () => {
    await write('big.txt', `${'x'.repeat(80)}\n`.repeat(1_000));
    const found = await facts();
    expect(found?.left).toEqual(['big.txt']);
    expect(found?.comparison).toContain('=== a.txt');
  });

  it('ends when it is stopped', async () => {
    await expect(facts({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });
});
