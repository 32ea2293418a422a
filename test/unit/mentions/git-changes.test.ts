import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { attachedNames, withWords } from '../../../src/domain/session/attached.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createReadGuard } from '../../../src/permission/files/read-guard.js';
import { NO_SERVERS } from '../../../src/mcp/connected-servers.js';
import { ResourceMentions } from '../../../src/mentions/resource-mentions.js';
import { resolveMentions } from '../../../src/mentions/resolve.js';
import { ruleBook } from '../permission/rig.js';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'changes-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder, stdio: 'pipe' });
}

async function changes(): Promise<{ readonly names: readonly string[]; readonly text: string }> {
  const workspace = createWorkspace(() => [{ name: 'ws', path: folder }], '/home/user');
  const rules = ruleBook([]);
  const blocks = await resolveMentions(
    '@changes',
    {
      workspace,
      documents: createDiskDocuments(),
      readGuard: () => createReadGuard({ workspace, home: '/home/user', caseInsensitive: false, rules }),
      symbols: { search: () => Promise.resolve([]) },
      resources: new ResourceMentions(NO_SERVERS, { smaller: () => Promise.resolve(undefined) }),
      diagnostics: { current: () => [] },
      editors: () => [],
      terminal: () => Promise.resolve(undefined),
      trusted: () => true,
    },
    { signal: new AbortController().signal },
  );
  return { names: attachedNames({ content: withWords(blocks, 'x') }), text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n') };
}

async function commit(files: Readonly<Record<string, string>>): Promise<void> {
  git('init', '-q');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
}

test('what changed since the last commit, new files by name', async () => {
  await commit({ 'a.txt': 'one\n', 'b.txt': 'same\n' });
  expect((await changes()).names).toEqual(['no changes']);
  await writeFile(join(folder, 'a.txt'), 'two\n');
  await mkdir(join(folder, 'new'));
  await writeFile(join(folder, 'new', 'c.txt'), 'fresh words\n');
  const { names, text } = await changes();
  expect(names).toEqual(['changes in 2 files']);
  expect(text).toContain('-one\n+two');
  expect(text).toContain('new/c.txt');
  expect(text).not.toContain('fresh words');
});

test('path-15: what can hold passwords is not shown', async () => {
  await commit({ '.env': 'TOKEN=old\n', 'a.txt': 'one\n' });
  await writeFile(join(folder, '.env'), 'TOKEN=hunter2\n');
  await writeFile(join(folder, 'a.txt'), 'two\n');
  const { text } = await changes();
  expect(text).not.toMatch(/hunter2|TOKEN/);
  expect(text).toContain('1 changed file not shown');
});

test('a long comparison is cut, and says so', async () => {
  await commit({ 'a.txt': '' });
  await writeFile(join(folder, 'a.txt'), 'words\n'.repeat(50_000));
  const { text } = await changes();
  expect(text.length).toBeLessThan(70_000);
  expect(text).toContain('[PARTIAL: the first 60000');
});

test('conf-02: no program that the repository names takes part', async () => {
  await commit({ 'a.txt': 'one\n', '.gitattributes': '*.txt diff=evil\n' });
  const trace = join(folder, '..', `${folder.split('/').at(-1) ?? ''}.trace`);
  git('config', 'diff.evil.command', `sh -c "touch ${trace}"`);
  git('config', 'diff.evil.textconv', `sh -c "touch ${trace}"`);
  git('config', 'core.fsmonitor', `sh -c "touch ${trace}"`);
  await writeFile(join(folder, 'a.txt'), 'two\n');
  expect((await changes()).text).toContain('+two');
  await expect(realpath(trace)).rejects.toThrow('ENOENT');
});

test('a folder that is no repository is told as such', async () => {
  expect((await changes()).names).toEqual(['changes (not known)']);
});
