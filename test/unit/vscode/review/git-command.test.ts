import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git } from '../../../../src/vscode/review/git-command.js';

test('a folder of the workspace that looks like a repository is none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gnomon-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', folder]);
  const evil = join(folder, 'evil');
  for (const name of ['objects', 'refs']) mkdirSync(join(evil, name), { recursive: true });
  writeFileSync(join(evil, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(evil, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n');
  expect(execFileSync('git', ['rev-parse', '--absolute-git-dir'], { cwd: evil, encoding: 'utf8' }).trim()).toMatch(/evil$/);
  await expect(git(evil, ['rev-parse', '--absolute-git-dir'])).rejects.toThrow('git rev-parse failed');
  expect((await git(folder, ['rev-parse', '--absolute-git-dir'])).toString().trim()).toMatch(/\.git$/);
});
