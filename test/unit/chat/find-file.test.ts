import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type WorkspaceFolder, findFile, placeForFile } from '../../../src/chat/code/find-file.js';

describe('view-09 files that answers name', () => {
  let root: string;
  let folders: readonly WorkspaceFolder[];

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-files-')));
    for (const folder of ['app/src', 'lib', 'outside']) await mkdir(join(root, folder), { recursive: true });
    for (const file of ['app/src/a.ts', 'lib/b.ts', 'outside/secret.txt']) await writeFile(join(root, file), '');
    await symlink(join(root, 'outside'), join(root, 'app/away'));
    await symlink(join(root, 'outside/secret.txt'), join(root, 'app/link.txt'));
    await symlink(join(root, 'app/src/a.ts'), join(root, 'app/inner.ts'));
    folders = [
      { name: 'app', path: join(root, 'app') },
      { name: 'lib', path: join(root, 'lib') },
    ];
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test('are found from a folder, by its name, or absolute', async () => {
    const a = join(root, 'app/src/a.ts');
    for (const written of ['src/a.ts', './src/a.ts', 'app/src/a.ts', 'src\\a.ts', a, 'src/../src/a.ts']) expect(await findFile(folders, written)).toBe(a);
    expect(await findFile(folders, 'b.ts')).toBe(join(root, 'lib/b.ts'));
    expect(await findFile(folders, 'inner.ts')).toBe(join(root, 'app/inner.ts'));
  });

  test('are not found outside, through links, or when they are no files', async () => {
    const wrong = [
      '../outside/secret.txt',
      'away/secret.txt',
      'link.txt',
      join(root, 'outside/secret.txt'),
      '/etc/passwd',
      'src',
      '.',
      '',
      'gone.ts',
      'src/a.ts/x',
      'a\0b',
      'x'.repeat(5_000),
    ];
    for (const written of wrong) expect([written.slice(0, 40), await findFile(folders, written)]).toEqual([written.slice(0, 40), undefined]);
    expect(await findFile([], 'src/a.ts')).toBeUndefined();
  });

  test('a new one has a place inside of the first folder only', async () => {
    expect(await placeForFile(folders, 'new/c.ts')).toBe(join(root, 'app/new/c.ts'));
    for (const written of ['../c.ts', '/etc/c.ts', 'away/c.ts', '.']) expect(await placeForFile(folders, written)).toBeUndefined();
  });
});
