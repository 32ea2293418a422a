import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileErrorCode } from '../../../../src/domain/workspace/file-layer.js';
import { createNodeFileLayer } from '../../../../src/node/files/node-file-layer.js';

const files = createNodeFileLayer();

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-files-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => fileErrorCode(error),
  );
}

describe('the file layer of Node', () => {
  it('appends, cuts and flushes, with mode 0600', async () => {
    const path = join(await temporaryFolder(), 'file');
    for (const text of ['one', 'two']) {
      const handle = await files.openAppend(path);
      expect(await handle.write(Buffer.from(text))).toBe(3);
      await handle.syncData();
      await handle.sync();
      await handle.close();
    }
    expect(await readFile(path, 'utf8')).toBe('onetwo');
    const handle = await files.openAppend(path);
    await handle.truncate(2);
    await handle.write(Buffer.from('!'));
    await handle.close();
    expect(Buffer.from(await files.readFile(path)).toString()).toBe('on!');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('path-20 creates exclusively and follows no link', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'file');
    await writeFile(path, 'x');
    await symlink(path, join(folder, 'link'));
    await symlink(join(folder, 'missing'), join(folder, 'dangling'));
    for (const name of ['file', 'link', 'dangling']) expect(await codeOf(files.openExclusive(join(folder, name)))).toBe('EEXIST');
    for (const name of ['link', 'dangling']) expect(await codeOf(files.openAppend(join(folder, name)))).toBe('ELOOP');
    expect(await readFile(path, 'utf8')).toBe('x');
  });

  it.skipIf(process.platform === 'win32')('waits for no other end of a pipe', async () => {
    const path = join(await temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [path]);
    expect(await files.readFile(path)).toHaveLength(0);
    expect(await codeOf(files.openAppend(path))).toBe('ENXIO');
  });

  it('lists and describes without following links', async () => {
    const folder = await temporaryFolder();
    expect(await files.list(join(folder, 'missing'))).toEqual([]);
    expect(await files.stat(join(folder, 'missing'))).toBeUndefined();
    await writeFile(join(folder, 'file'), 'four');
    await files.makeFolder(join(folder, 'sub', 'deeper'));
    await symlink('file', join(folder, 'link'));
    const entries = [...(await files.list(folder))].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(entries.map(({ name, type }) => [name, type])).toEqual([
      ['file', 'file'],
      ['link', 'other'],
      ['sub', 'directory'],
    ]);
    expect(await files.stat(join(folder, 'file'))).toEqual(entries[0]);
    expect(entries[0]).toMatchObject({ size: 4, mtimeMs: (await lstat(join(folder, 'file'))).mtimeMs });
  });

  it('keeps others out of a folder', async () => {
    const folder = await temporaryFolder();
    await files.makeFolder(join(folder, 'new'));
    await chmod(folder, 0o755);
    await files.makeFolder(folder);
    for (const path of [folder, join(folder, 'new')]) expect((await stat(path)).mode & 0o777).toBe(0o700);
    await files.syncFolder(folder);
  });

  it('removes what is there, and what is not', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, '');
    await files.remove(path);
    await files.remove(path);
    expect(await files.stat(path)).toBeUndefined();
    expect(await codeOf(files.rename(path, `${path}2`))).toBe('ENOENT');
    expect(await codeOf(files.readFile(path))).toBe('ENOENT');
  });

  it('touches', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, '');
    // Long ago: times are rounded on the way to the disk.
    await utimes(path, 1, 1);
    await files.touch(path);
    expect(Date.now() - (await stat(path)).mtimeMs).toBeLessThan(60_000);
  });
});
