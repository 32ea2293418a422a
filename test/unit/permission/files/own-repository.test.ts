import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Gate } from '../../../../src/domain/tool/permission.js';
import { createDiskDocuments } from '../../../../src/node/files/disk-documents.js';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { createGate } from '../../../../src/permission/gate.js';
import { judge, reasonsOf, ruleBook, runs } from '../rig.js';
import { loadAnalyzer } from '../shell/rig.js';
import { HELD } from '../../../support/sandboxes.js';

const analyzer = await loadAnalyzer();
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A workspace on disk; with a repository of its own when `owned`. */
function workspace(owned = true): { folder: string; canary: string; gate: (rules?: readonly string[], open?: readonly string[]) => Gate } {
  const folder = mkdtempSync(join(tmpdir(), 'gnomon-repository-'));
  folders.push(folder);
  if (owned) execFileSync('git', ['init', '-q', folder]);
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  const canary = join(folder, 'canary');
  const gate = (rules: readonly string[] = [], open: readonly string[] = ['.']): Gate =>
    createGate({
      sandbox: HELD,
      workspace: createWorkspace(() => open.map((name) => ({ name, path: join(folder, name) })), '/home/user'),
      documents: createDiskDocuments(),
      caseInsensitive: false,
      home: '/home/user',
      rules: ruleBook(rules),
      analyzer: () => Promise.resolve(analyzer),
      trusted: () => true,
    });
  return { folder, canary, gate };
}

/** Makes a folder look like a repository whose settings run a program: nothing in it is named `.git`. */
function disguise(folder: string, canary: string, worktree = '..'): void {
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(
    join(folder, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${worktree}\n\tfsmonitor = "touch '${canary}'; false"\n`,
  );
}

async function reasons(gate: Gate, line: string, cwd: string, mode: 'default' | 'plan' = 'default'): Promise<string> {
  const judgment = await judge(gate, mode, runs(line, cwd));
  return judgment.type === 'allow' ? 'allow' : reasonsOf(judgment);
}

const SETTINGS = /settings, which can run programs, from another folder|Plan mode only reads/;

describe('git runs unasked', () => {
  test('in the repository of the workspace and in its folders', async () => {
    const { folder, gate } = workspace();
    for (const cwd of [folder, join(folder, 'src'), join(folder, 'src/deep')]) expect(await reasons(gate(), 'git status', cwd)).toBe('allow');
  });

  test('in a workspace folder that is a part of a repository', async () => {
    const { folder, gate } = workspace(false);
    execFileSync('git', ['init', '-q', folder]);
    expect(await reasons(gate(), 'git log --oneline -3', join(folder, 'src'))).toBe('allow');
  });

  test('the attack is one: what looks like a repository makes git run a program', () => {
    const { folder, canary } = workspace();
    disguise(join(folder, 'evil'), canary);
    execFileSync('git', ['status'], { cwd: join(folder, 'evil'), stdio: 'ignore' });
    expect(existsSync(canary)).toBe(true);
  });

  test.each(['git status', 'git diff', 'git ls-files', 'git grep foo', 'timeout 5 git status', 'ls; git status | head'])(
    'not in a committed folder that looks like one: %s',
    async (line) => {
      const { folder, canary, gate } = workspace();
      disguise(join(folder, 'evil'), canary);
      mkdirSync(join(folder, 'evil/below'));
      symlinkSync('evil/below', join(folder, 'link'));
      for (const cwd of ['evil', 'evil/below', 'link']) {
        for (const mode of ['default', 'plan'] as const) expect(await reasons(gate(), line, join(folder, cwd), mode)).toMatch(SETTINGS);
        expect(await reasons(gate(['allow Bash(git status)', 'allow Bash(git status:*)']), 'git status -s', join(folder, cwd))).toMatch(SETTINGS);
      }
    },
  );

  test('not after four allowed writes in src or at the root of a workspace without a repository', async () => {
    const { folder, canary, gate } = workspace(false);
    disguise(join(folder, 'src'), canary);
    expect(await reasons(gate(['allow Edit(src/**)']), 'git status', join(folder, 'src'))).toMatch(SETTINGS);
    expect(await reasons(gate(), 'git status', folder)).toBe('allow');
    disguise(folder, canary, '.');
    expect(await reasons(gate(), 'git status', folder)).toMatch(SETTINGS);
  });

  test('not where HEAD is a link that leads nowhere, nor where another folder holds the rest', async () => {
    const { folder, canary, gate } = workspace();
    for (const name of ['dangling', 'worktree', 'rest']) disguise(join(folder, name), canary);
    rmSync(join(folder, 'dangling/HEAD'));
    symlinkSync('refs/heads/main', join(folder, 'dangling/HEAD'));
    for (const name of ['objects', 'refs']) rmSync(join(folder, 'worktree', name), { recursive: true });
    writeFileSync(join(folder, 'worktree/commondir'), '../rest\n');
    for (const name of ['dangling', 'worktree']) {
      const found = execFileSync('git', ['-c', 'core.fsmonitor=false', 'rev-parse', '--absolute-git-dir'], { cwd: join(folder, name), encoding: 'utf8' });
      expect(found.trim()).toMatch(new RegExp(`${name}$`));
      expect(await reasons(gate(), 'git status', join(folder, name))).toMatch(SETTINGS);
    }
  });

  test('not in a workspace folder that lies in another, below what looks like a repository', async () => {
    const { folder, canary, gate } = workspace(false);
    disguise(join(folder, 'src'), canary);
    expect(await reasons(gate([], ['src/deep', '.']), 'git status', join(folder, 'src/deep'))).toMatch(SETTINGS);
  });

  test('not in a repository below that of the workspace, nor outside of it', async () => {
    const { folder, gate } = workspace();
    execFileSync('git', ['init', '-q', join(folder, 'src/other')]);
    expect(await reasons(gate(), 'git status', join(folder, 'src/other'))).toMatch(SETTINGS);
    expect(await reasons(gate(), 'git status', tmpdir())).toMatch(/outside the workspace/);
  });

  test('not behind cd, whatever a link in its way leads to', async () => {
    const { folder, canary, gate } = workspace();
    disguise(join(folder, 'src/evil'), canary);
    mkdirSync(join(folder, 'src/evil/in'));
    symlinkSync('src/evil/in', join(folder, 'link'));
    for (const line of ['cd -P link && cd .. && git status', 'cd -P link/.. && git status', 'cd link && git status', 'cd src/evil && git status']) {
      expect(await reasons(gate(), line, folder)).not.toBe('allow');
    }
  });
});
