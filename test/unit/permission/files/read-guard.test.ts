import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { createReadGuard } from '../../../../src/permission/files/read-guard.js';
import { createMemoryWorkspace } from '../../../support/memory-workspace/index.js';
import { MANY_FILES, MANY_RULES } from '../../../support/worst-inputs.js';
import { ruleBook } from '../rig.js';

/** What of some files a guard lets be shown. */
async function shown(rules: readonly string[], files: readonly string[]): Promise<readonly string[]> {
  const { workspace } = createMemoryWorkspace();
  return files.filter(await createReadGuard({ workspace, home: '/home/user', caseInsensitive: false, rules: ruleBook(rules) }));
}

const FILES = ['/ws/a.ts', '/ws/src/a.ts', '/ws/secrets/x', '/ws/.env', '/ws/pkg/.env.local', '/ws/.env.example', '/ws/key.pem', '/ws/.npmrc'];

test('path-15: what can hold passwords or keys is not shown by a search, unless a rule names it', async () => {
  expect(await shown([], FILES)).toEqual(['/ws/a.ts', '/ws/src/a.ts', '/ws/secrets/x', '/ws/.env.example']);
  expect(await shown(['allow Read', 'allow Read(**)'], FILES)).not.toContain('/ws/.env');
  expect(await shown(['allow Read(.env)'], FILES)).toContain('/ws/.env');
  expect(await shown(['allow Read(.env)', 'deny Read(.env)'], FILES)).not.toContain('/ws/.env');
});

test('path-15: what rules deny or ask about is not shown by a search', async () => {
  expect(await shown(['deny Read(/secrets/**)', 'ask Read(src)'], FILES)).toEqual(['/ws/a.ts', '/ws/.env.example']);
  expect(await shown(['deny Read'], FILES)).toEqual([]);
  expect(await shown(['deny Edit', 'deny Bash', 'deny Grep'], ['/ws/a.ts'])).toEqual(['/ws/a.ts']);
  expect(await shown(['deny Read(.secret)'], ['/ws/.SECRET', '/ws/\uff0esecret', '/ws/b/.secret', '/elsewhere/.secret'])).toEqual([]);
});

test('a workspace below a folder of keys is an ordinary one', async () => {
  const { workspace } = createMemoryWorkspace({ folders: ['/home/user/.aws/tool'] });
  const guard = await createReadGuard({ workspace, home: '/home/user', caseInsensitive: false, rules: ruleBook([]) });
  expect(guard('/home/user/.aws/tool/a.ts')).toBe(true);
  expect(guard('/home/user/.aws/credentials')).toBe(false);
});

test('path-15 path-17: rules hold where the workspace is a link', async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'guard-')));
  try {
    await mkdir(join(base, 'real', 'secrets'), { recursive: true });
    await writeFile(join(base, 'real', 'secrets', 'x'), '');
    await symlink(join(base, 'real'), join(base, 'ws'));
    const workspace = createWorkspace(() => [{ name: 'ws', path: join(base, 'ws') }], '/home/user');
    const guard = await createReadGuard({ workspace, home: '/home/user', caseInsensitive: false, rules: ruleBook(['deny Read(/secrets/**)']) });
    expect(guard(join(base, 'real', 'secrets', 'x'))).toBe(false);
    expect(guard(join(base, 'real', 'a'))).toBe(true);
  } finally {
    await rm(base, { recursive: true });
  }
});

test('of 1,000 files those are shown that none of 50 rules is about', async () => {
  expect(await shown(MANY_RULES, [...MANY_FILES, '/ws/secret49/x', '/ws/secret0/a/b'])).toEqual(MANY_FILES);
});
