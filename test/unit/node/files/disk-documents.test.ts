import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileContent, TextFile } from '../../../../src/domain/workspace/documents.js';
import { ToolInputError } from '../../../../src/domain/errors.js';
import type { ImageBytes } from '../../../../src/domain/workspace/image.js';
import { createDiskDocuments } from '../../../../src/node/files/disk-documents.js';
import { grayPng, pngOf } from '../../../support/image.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const documents = createDiskDocuments();
const { signal } = new AbortController();
const read = (path: string): Promise<FileContent> => documents.read(path, signal);

/** A whole PNG image with one byte of data, or more. */
const png = (width: number, height: number, data = 1): Buffer => pngOf(width, height, Buffer.alloc(data));

async function readText(path: string): Promise<TextFile> {
  const file = await read(path);
  if (file.kind !== 'text') throw new Error(`${path} is ${file.kind}`);
  return file;
}

async function edit(path: string, from: string, to: string): Promise<string> {
  const file = await readText(path);
  const change = { action: 'modify' as const, path, baseHash: file.hash, text: file.text.replace(from, () => to) };
  return (await documents.apply(change, signal)).hash;
}

describe('read', () => {
  it('tells text, images and binaries apart by content', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a'), '\uFEFFhé');
    writeFileSync(join(folder, 'b.txt'), png(1, 1));
    writeFileSync(join(folder, 'c'), Buffer.from([1, 0, 3]));
    expect(await read(join(folder, 'a'))).toMatchObject({ kind: 'text', text: 'hé', encoding: 'utf8bom', unsaved: false });
    expect(await read(join(folder, 'b.txt'))).toMatchObject({ kind: 'image', mimeType: 'image/png' });
    expect(await read(join(folder, 'c'))).toEqual({ kind: 'binary', path: join(folder, 'c'), size: 3 });
  });

  it('tool-13: reads of a 2 GB file only what tells its kind, and tells it at once', async () => {
    const path = join(temporaryFolder(), 'big');
    writeFileSync(path, '');
    truncateSync(path, 2 * 1024 ** 3);
    expect(await read(path)).toEqual({ kind: 'binary', path, size: 2 * 1024 ** 3 });
    writeFileSync(path, 'é'.repeat(8_000));
    truncateSync(path, 2 * 1024 ** 3);
    expect(await read(path)).toEqual({ kind: 'large', path, size: 2 * 1024 ** 3, limit: 50 * 1024 ** 2 });
    await expect(documents.apply({ action: 'modify', path, baseHash: 'x', text: '' }, signal)).rejects.toThrow(
      /too large to change: 2048 MB, the limit is 50 MB/,
    );
  });

  it('gives a PDF document as its bytes, whatever its name', async () => {
    const path = join(temporaryFolder(), 'a.txt');
    writeFileSync(path, '%PDF-1.7\n');
    expect(await read(path)).toEqual({ kind: 'pdf', path, bytes: new Uint8Array(Buffer.from('%PDF-1.7\n')) });
  });

  it('tells what a binary file is', async () => {
    const path = join(temporaryFolder(), 'file');
    for (const [bytes, type] of [
      ['PK\x03\x04\0', /ZIP/],
      ['\x7fELF\0', /ELF/],
      ['SQLite format 3\0', /SQLite/],
      ['BM\0', /BMP image/],
    ] as const) {
      writeFileSync(path, bytes, 'latin1');
      expect(await read(path)).toMatchObject({ kind: 'binary', type: expect.stringMatching(type) as string });
    }
  });

  it('stream-23: refuses images that a model would not take', async () => {
    const path = join(temporaryFolder(), 'image.png');
    // As base64 the limit of 5 MB is reached with 3.75 MB.
    writeFileSync(path, png(10, 10, 3_932_160));
    await expect(read(path)).rejects.toThrow(/10 × 10 pixels and 3932217 bytes.*at most 8000 pixels on a side and 3932160 bytes/);
    writeFileSync(path, Buffer.concat([png(10, 10), Buffer.alloc(60 * 1024 * 1024)]));
    await expect(read(path)).rejects.toThrow(/is an image \(image\/png\) of 62914618 bytes/);
    writeFileSync(path, png(9_000, 10));
    await expect(read(path)).rejects.toThrow(/9000 × 10 pixels/);
    for (const broken of [png(10, 10).subarray(0, 12), png(10, 10).subarray(0, -8), png(10, 10).fill(1, 45, 46)]) {
      writeFileSync(path, broken);
      await expect(read(path)).rejects.toThrow(/begins like an image \(image\/png\), but is broken/);
    }
    writeFileSync(path, '');
    expect(await read(path)).toMatchObject({ kind: 'text', text: '' });
    writeFileSync(path, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    expect(await read(path)).toMatchObject({ kind: 'text' });
  });

  it('stream-23: takes a smaller copy of an image that is larger than models need it', async () => {
    const asked: ImageBytes[] = [];
    const read = (image: Buffer, copy: Uint8Array | undefined): Promise<FileContent> => {
      const path = join(temporaryFolder(), 'image.png');
      writeFileSync(path, image);
      const smaller = (image: ImageBytes): Promise<Uint8Array | undefined> => {
        asked.push(image);
        return Promise.resolve(copy);
      };
      return createDiskDocuments({ smaller }).read(path, signal);
    };
    const small = grayPng(2_000, 20);
    expect(await read(grayPng(2_400, 24), small)).toMatchObject({
      kind: 'image',
      mimeType: 'image/png',
      data: small,
      scaledFrom: { width: 2_400, height: 24 },
    });
    expect(await read(grayPng(9_000, 90), small)).toMatchObject({ scaledFrom: { width: 9_000, height: 90 } });
    expect(asked.map(({ mimeType }) => mimeType)).toEqual(['image/png', 'image/png']);
    // What comes back is not believed: it has to be an image, whole and small.
    for (const copy of [undefined, Buffer.from('no image'), small.subarray(0, -4), grayPng(2_001, 20)]) {
      expect(await read(grayPng(2_400, 24), copy)).not.toHaveProperty('scaledFrom');
      await expect(read(grayPng(9_000, 90), copy)).rejects.toThrow(/9000 × 90 pixels/);
    }
    asked.length = 0;
    expect(await read(grayPng(2_000, 20), undefined)).not.toHaveProperty('scaledFrom');
    // Decoded it would take gigabytes.
    await expect(read(png(40_000, 40_000), small)).rejects.toThrow(/40000 × 40000 pixels/);
    expect(asked).toEqual([]);
  });

  it('path-18: refuses folders, pipes and devices, and waits for none of them', async () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(read(folder)).rejects.toThrow(/is a folder/);
    await expect(read(join(folder, 'pipe'))).rejects.toThrow(/device, pipe or socket/);
    await expect(read('/dev/zero')).rejects.toThrow(/device, pipe or socket/);
    expect(await documents.stat('/dev/zero', signal)).toMatchObject({ type: 'other' });
  });

  it('says what is missing, and where a file stands in the way', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a'), '');
    await expect(read(join(folder, 'none'))).rejects.toThrow(/none does not exist/);
    await expect(read(join(folder, 'a/b'))).rejects.toThrow(ToolInputError);
    expect(await documents.stat(join(folder, 'none'), signal)).toBeUndefined();
    expect(await documents.stat(join(folder, 'a/b'), signal)).toBeUndefined();
    expect(await documents.stat(join(folder, 'a'), signal)).toEqual({ type: 'file', size: 0, shared: false });
    expect(await documents.stat(folder, signal)).toMatchObject({ type: 'directory' });
  });

  it.runIf(process.platform === 'linux')('reads files whose size the system does not know', async () => {
    expect((await readText(`/proc/${process.pid}/status`)).text).toMatch(/^Name:/);
  });

  it('path-06: follows no link that was put in the place of what was judged', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'secret'));
    writeFileSync(join(folder, 'secret/key'), 'k');
    symlinkSync(join(folder, 'secret/key'), join(folder, 'link'));
    symlinkSync(join(folder, 'secret'), join(folder, 'dir'));
    await expect(read(join(folder, 'link'))).rejects.toThrow(ToolInputError);
    await expect(read(join(folder, 'dir/key'))).rejects.toThrow(ToolInputError);
  });
});

describe('apply', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const utf16be = Buffer.from('\uFEFFa\r\nold\r\né', 'utf16le').swap16();
  it.each([
    ['CRLF', Buffer.from('a\r\nold\r\nb\r\n')],
    ['mixed line endings', Buffer.from('a\r\nold\nb\rc\n')],
    ['a byte-order mark', Buffer.from('\uFEFFa\nold\n')],
    ['UTF-16 LE', Buffer.from('\uFEFFa\nold\né', 'utf16le')],
    ['UTF-16 BE', utf16be],
    ['windows-1252', latin1('caf\xe9 \x80\x81\nold\n')],
    ['Shift-JIS', Buffer.from([0x93, 0xfa, 0x0a, ...Buffer.from('old'), 0x0a, 0x83, 0x5c])],
    ['no final newline', Buffer.from('a\nold')],
  ])('tool-06: in a file with %s only the edited bytes differ', async (_name, bytes) => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, bytes);
    await edit(path, 'old', 'new');
    const unit = bytes.indexOf(Buffer.from('old')) !== -1 ? (text: string) => Buffer.from(text) : undefined;
    const wide = (text: string): Buffer => (bytes === utf16be ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le'));
    const encode = unit ?? wide;
    const at = bytes.indexOf(encode('old'));
    const expected = Buffer.concat([bytes.subarray(0, at), encode('new'), bytes.subarray(at + encode('old').length)]);
    expect(readFileSync(path).equals(expected)).toBe(true);
  });

  it('creates files with their folders, and never over something', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a/b/c');
    const applied = await documents.apply({ action: 'create', path, text: 'x\n' }, signal);
    expect(applied).toEqual({ hash: (await readText(path)).hash, where: 'disk' });
    await expect(documents.apply({ action: 'create', path, text: 'y' }, signal)).rejects.toThrow(/exists by now/);
    symlinkSync(join(folder, 'outside'), join(folder, 'a/dangling'));
    const dangling = { action: 'create' as const, path: join(folder, 'a/dangling'), text: 'y' };
    await expect(documents.apply(dangling, signal)).rejects.toThrow(ToolInputError);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('tool-08: refuses a file that changed, same size and time', async () => {
    const path = join(temporaryFolder(), 'a');
    writeFileSync(path, 'one');
    const { hash } = await readText(path);
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'two');
    utimesSync(path, atime, mtime);
    await expect(documents.apply({ action: 'modify', path, baseHash: hash, text: 'x' }, signal)).rejects.toThrow(/changed since it was read/);
    expect(readFileSync(path, 'utf8')).toBe('two');
  });

  it('tool-11: keeps mode, owner and hard links, and leaves nothing behind', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    writeFileSync(path, 'old');
    chmodSync(path, 0o755);
    if (process.getuid?.() === 0) execFileSync('chown', ['1234:4321', path]);
    const before = statSync(path);
    await edit(path, 'old', 'new');
    expect(statSync(path)).toMatchObject({ mode: before.mode, uid: before.uid, gid: before.gid });
    linkSync(path, join(folder, 'b'));
    await edit(path, 'new', 'newer');
    expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('newer');
    await edit(path, 'newer', 'n');
    expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('n');
    expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
  });

  it('tool-12: refuses read-only files', async () => {
    const path = join(temporaryFolder(), 'a');
    writeFileSync(path, 'old');
    chmodSync(path, 0o444);
    await expect(edit(path, 'old', 'new')).rejects.toThrow(/read-only; nothing was written/);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('path-06: writes nothing through a folder that became a link', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'ws'));
    mkdirSync(join(folder, 'outside'));
    for (const name of ['ws/a', 'outside/a']) writeFileSync(join(folder, name), 'old');
    const { hash } = await readText(join(folder, 'ws/a'));
    renameSync(join(folder, 'ws'), join(folder, 'gone'));
    symlinkSync(join(folder, 'outside'), join(folder, 'ws'));
    const change = { action: 'modify' as const, path: join(folder, 'ws/a'), baseHash: hash, text: 'new' };
    await expect(documents.apply(change, signal)).rejects.toThrow(ToolInputError);
    const created = { action: 'create' as const, path: join(folder, 'ws/sub/b'), text: 'new' };
    await expect(documents.apply(created, signal)).rejects.toThrow(ToolInputError);
    expect(readFileSync(join(folder, 'outside/a'), 'utf8')).toBe('old');
    expect(readdirSync(join(folder, 'outside'))).toEqual(['a']);
  });

  it('tool-06: refuses characters that the encoding cannot hold, and leaves the file alone', async () => {
    const path = join(temporaryFolder(), 'a');
    writeFileSync(path, latin1('caf\xe9'));
    await expect(edit(path, 'caf', '→')).rejects.toThrow(/windows1252, which cannot hold "→"/);
    expect(readFileSync(path).equals(latin1('caf\xe9'))).toBe(true);
  });

  it('tool-16: of two changes from one version, the first wins and the second is refused', async () => {
    const path = join(temporaryFolder(), 'a');
    writeFileSync(path, 'old');
    const { hash } = await readText(path);
    const both = ['one', 'two'].map((text) => documents.apply({ action: 'modify', path, baseHash: hash, text }, signal));
    expect((await Promise.allSettled(both)).map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(lstatSync(path).isFile()).toBe(true);
  });

  it('does nothing once it was stopped', async () => {
    const path = join(temporaryFolder(), 'a');
    const change = { action: 'create' as const, path, text: '' };
    await expect(documents.apply(change, AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect(() => statSync(path)).toThrow();
  });
});
