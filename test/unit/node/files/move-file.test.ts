import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Modification } from '../../../../src/domain/workspace/documents.js';
import { ToolInputError } from '../../../../src/domain/errors.js';
import { createDiskDocuments } from '../../../../src/node/files/disk-documents.js';
import { sha256 } from '../../../../src/node/files/sha256.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const documents = createDiskDocuments();
const { signal } = new AbortController();
const isRoot = process.getuid?.() === 0;

/** A folder with files, and all that is in it as text by path. */
class Folder {
  readonly root = temporaryFolder();

  constructor(files: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  at(name: string): string {
    return join(this.root, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
  }

  get files(): Readonly<Record<string, string>> {
    const entries = readdirSync(this.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
    return Object.fromEntries(paths.map((path) => [path.slice(this.root.length + 1), readFileSync(path, 'utf8')]));
  }

  move(from: string, to: string, text: string, base = text): Modification {
    return { action: 'modify', path: this.at(to), from: this.at(from), baseHash: sha256(Buffer.from(base)), text };
  }

  delete(name: string, base: string): Promise<void> {
    return documents.delete({ action: 'delete', path: this.at(name), baseHash: sha256(Buffer.from(base)) }, signal);
  }
}

describe('delete', () => {
  it('deletes exactly the version that it is given', async () => {
    const folder = new Folder({ a: 'one', b: 'b' });
    const { atime, mtime } = statSync(folder.at('a'));
    writeFileSync(folder.at('a'), 'two');
    utimesSync(folder.at('a'), atime, mtime);
    await expect(folder.delete('a', 'one')).rejects.toThrow(/has changed since it was read/);
    expect(folder.files).toEqual({ a: 'two', b: 'b' });
    await folder.delete('a', 'two');
    expect(folder.files).toEqual({ b: 'b' });
    await expect(folder.delete('a', 'two')).rejects.toThrow(ToolInputError);
  });

  it('deletes nothing that is read-only, has other names, is a folder or link, or is behind a folder that became one', async () => {
    const folder = new Folder({ 'read-only': 'x', linked: 'x', 'folder/a': 'x', 'ws/a': 'x', 'outside/a': 'x' });
    chmodSync(folder.at('read-only'), 0o444);
    linkSync(folder.at('linked'), folder.at('other'));
    symlinkSync(folder.at('folder/a'), folder.at('link'));
    renameSync(folder.at('ws'), folder.at('gone'));
    symlinkSync(folder.at('outside'), folder.at('ws'));
    const before = folder.files;
    await expect(folder.delete('read-only', 'x')).rejects.toThrow(/is read-only; nothing was deleted/);
    await expect(folder.delete('linked', 'x')).rejects.toThrow(/has other names \(hard links\); nothing was deleted\. Use bash/);
    for (const name of ['folder', 'link', 'ws/a']) await expect(folder.delete(name, 'x')).rejects.toThrow(ToolInputError);
    expect(folder.files).toEqual(before);
    expect(existsSync(folder.at('link'))).toBe(true);
  });
});

describe('move', () => {
  it('moves a file with its mode and owner, into new folders, and gives it another text in its own encoding', async () => {
    const folder = new Folder({ a: '' });
    writeFileSync(folder.at('a'), Buffer.from('caf\xe9\r\n', 'latin1'));
    chmodSync(folder.at('a'), 0o755);
    if (isRoot) execFileSync('chown', ['1234:4321', folder.at('a')]);
    const { mode, uid, gid } = statSync(folder.at('a'));
    const change = { ...folder.move('a', 'new/b', 'th\xe9\r\n'), baseHash: sha256(readFileSync(folder.at('a'))) };
    const { hash, where } = await documents.apply(change, signal);
    expect([where, hash]).toEqual(['disk', sha256(Buffer.from('th\xe9\r\n', 'latin1'))]);
    expect(readFileSync(folder.at('new/b')).equals(Buffer.from('th\xe9\r\n', 'latin1'))).toBe(true);
    expect(statSync(folder.at('new/b'))).toMatchObject({ mode, uid, gid, nlink: 1 });
    expect(Object.keys(folder.files)).toEqual(['new/b']);
  });

  it('moves a file to a name that differs in case alone, where that is another one', async () => {
    const folder = new Folder({ 'a.ts': 'x' });
    if (existsSync(folder.at('A.ts'))) return;
    await documents.apply(folder.move('a.ts', 'A.ts', 'x'), signal);
    expect(folder.files).toEqual({ 'A.ts': 'x' });
  });

  it.each<[what: string, put: (folder: Folder) => void, to?: string]>([
    ['a file', (folder) => folder.write('to', 'mine')],
    ['a folder', (folder) => folder.write('to/a', 'mine')],
    ['a link that leads nowhere', (folder) => symlinkSync(folder.at('nowhere'), folder.at('to'))],
    ['a link to the file itself', (folder) => symlinkSync(folder.at('a'), folder.at('to'))],
    ['a folder that is a file', (folder) => folder.write('into', 'mine'), 'into/to'],
    ['a folder that became a link', (folder) => symlinkSync(temporaryFolder(), folder.at('away')), 'away/to'],
  ])('moves nothing to %s', async (_what, put, to = 'to') => {
    const folder = new Folder({ a: 'x' });
    put(folder);
    const before = folder.files;
    for (const text of ['x', 'y']) await expect(documents.apply(folder.move('a', to, text, 'x'), signal)).rejects.toThrow(ToolInputError);
    expect(folder.files).toEqual(before);
  });

  it('moves nothing that changed since, is read-only, has other names, is no text, or is behind a link', async () => {
    const folder = new Folder({ changed: 'two', 'read-only': 'x', linked: 'x', 'outside/a': 'x' });
    writeFileSync(folder.at('binary'), Buffer.from([0, 1, 2]));
    chmodSync(folder.at('read-only'), 0o444);
    linkSync(folder.at('linked'), folder.at('other'));
    symlinkSync(folder.at('outside'), folder.at('ws'));
    const before = folder.files;
    await expect(documents.apply(folder.move('changed', 'to', 'one'), signal)).rejects.toThrow(/has changed since it was read/);
    await expect(documents.apply(folder.move('read-only', 'to', 'x'), signal)).rejects.toThrow(/is read-only; nothing was moved/);
    await expect(documents.apply(folder.move('linked', 'to', 'x'), signal)).rejects.toThrow(/has other names \(hard links\); nothing was moved/);
    await expect(documents.apply(folder.move('binary', 'to', '\0\u0001\u0002'), signal)).rejects.toThrow(/not a text file/);
    await expect(documents.apply(folder.move('ws/a', 'to', 'x'), signal)).rejects.toThrow(ToolInputError);
    expect(folder.files).toEqual(before);
  });

  it.runIf(process.platform === 'linux')('leaves the source and clears the new place when the source cannot be deleted', async () => {
    const folder = new Folder({ 'kept/a': 'x' });
    // Files of such a folder can be read and get other names, but none of them goes.
    keep(folder.at('kept'));
    for (const text of ['x', 'y']) await expect(documents.apply(folder.move('kept/a', 'new/b', text, 'x'), signal)).rejects.toThrow(ToolInputError);
    expect(folder.files).toEqual({ 'kept/a': 'x' });
    await expect(folder.delete('kept/a', 'x')).rejects.toThrow(/may not be (?:changed|accessed): the system/);
    expect(folder.files).toEqual({ 'kept/a': 'x' });
  });

  it('lets one of two moves to the same place through, and both of two that change places wait for each other no longer than that', async () => {
    const folder = new Folder({ a: 'a', b: 'b' });
    const both = [folder.move('a', 'c', 'a'), folder.move('b', 'c', 'b')].map((change) => documents.apply(change, signal));
    expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(Object.values(folder.files).sort()).toEqual(['a', 'b']);
    const swapped = new Folder({ a: 'a', b: 'b' });
    const crossed = [swapped.move('a', 'b', 'a'), swapped.move('b', 'a', 'b')].map((change) => documents.apply(change, signal));
    expect((await Promise.allSettled(crossed)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(swapped.files).toEqual({ a: 'a', b: 'b' });
  });
});

/** Makes a folder one from which nothing can be removed, until the test ends. Permissions do not stop root, attributes do. */
function keep(path: string): void {
  const [held, freed] = isRoot ? [['chattr', '+a'] as const, ['chattr', '-a'] as const] : [['chmod', 'a-w'] as const, ['chmod', 'u+w'] as const];
  execFileSync(held[0], [held[1], path]);
  onTestFinished(() => void execFileSync(freed[0], [freed[1], path]));
}
