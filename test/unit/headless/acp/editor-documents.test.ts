import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Documents, TextFile } from '../../../../src/domain/workspace/documents.js';
import { createEditorDocuments, type EditorFiles } from '../../../../src/headless/acp/editor-documents.js';
import { createDiskDocuments } from '../../../../src/node/files/disk-documents.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

let folder: string;
let path: string;
let editor: FakeEditor;
let documents: Documents;
const { signal } = new AbortController();

/** An editor with buffers that it saves or does not. */
class FakeEditor implements EditorFiles {
  readonly buffers = new Map<string, string>();
  readonly written: string[] = [];
  /** What it does with a text that it takes. */
  save: (path: string, text: string) => void = (file, text) => writeFileSync(file, text);

  read = (file: string): Promise<string> => {
    const text = this.buffers.get(file);
    return text === undefined ? Promise.reject(new Error('It is no file of the project.')) : Promise.resolve(text);
  };

  write = (file: string, text: string): Promise<void> => {
    this.written.push(text);
    this.buffers.set(file, text);
    this.save(file, text);
    return Promise.resolve();
  };
}

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'a.txt');
  editor = new FakeEditor();
  documents = createEditorDocuments(createDiskDocuments(), editor);
});

function onDisk(content: string | Uint8Array, ageMs = 60_000): void {
  writeFileSync(path, content);
  utimesSync(path, new Date(Date.now() - ageMs), new Date(Date.now() - ageMs));
}
const text = (): string => readFileSync(path, 'utf8');
async function read(): Promise<TextFile> {
  const file = await documents.read(path, signal);
  if (file.kind !== 'text') throw new Error(`It is ${file.kind}.`);
  return file;
}
const change = async (to: string): Promise<ReturnType<Documents['apply']>> =>
  documents.apply({ action: 'modify', path, baseHash: (await read()).hash, text: to }, signal);

describe('a file', () => {
  it('that the editor does not know is that of the disk', async () => {
    onDisk('one\n');
    expect(await read()).toMatchObject({ text: 'one\n', unsaved: false });
    expect(await change('two\n')).toMatchObject({ where: 'disk' });
    expect([text(), editor.written]).toEqual(['two\n', []]);
  });

  it('without unsaved changes is that of the disk, also where the editor gives its lines in another way', async () => {
    for (const [disk, shown] of [
      ['one\ntwo\n', 'one\ntwo\n'],
      ['one\r\ntwo\r\n', 'one\ntwo\n'],
      ['one\ntwo\n', 'one\ntwo'],
      ['\uFEFFone\n', 'one\n'],
      ['one\rtwo\n', 'one\ntwo\n'],
    ] as const) {
      onDisk(disk);
      editor.buffers.set(path, shown);
      expect(await read()).toEqual(await createDiskDocuments().read(path, signal));
    }
  });

  it('with unsaved changes is what the editor shows, in the line endings of the file', async () => {
    onDisk('one\r\ntwo\r\n');
    editor.buffers.set(path, 'ONE\ntwo\n');
    expect(await read()).toMatchObject({ text: 'ONE\r\ntwo\r\n', unsaved: true });
  });

  it('that has just changed on the disk is waited for in the editor', async () => {
    onDisk('new\n', 0);
    editor.buffers.set(path, 'old\n');
    setTimeout(() => editor.buffers.set(path, 'new\n'), 150);
    expect(await read()).toMatchObject({ text: 'new\n', unsaved: false });
  });

  it('that an editor never loads again is not taken for a change of the user', async () => {
    onDisk('old\n');
    editor.buffers.set(path, 'old\n');
    await read();
    onDisk('new\n');
    expect(await read()).toMatchObject({ text: 'new\n', unsaved: false });
  });
});

describe('a change', () => {
  it('goes through the editor', async () => {
    onDisk('one\ntwo\n');
    editor.buffers.set(path, 'one\ntwo\n');
    const { hash, where } = await change('one\nTWO\n');
    expect([where, hash === (await read()).hash, text(), editor.written]).toEqual(['disk', true, 'one\nTWO\n', ['one\nTWO\n']]);
  });

  it('is given in the line endings that the editor uses, and those of the file stay', async () => {
    onDisk('one\r\ntwo\r\n');
    editor.buffers.set(path, 'one\ntwo\n');
    editor.save = (file, to) => writeFileSync(file, to.replaceAll('\n', '\r\n'));
    expect(await change('one\r\nTWO\r\n')).toMatchObject({ where: 'disk' });
    expect([text(), editor.written]).toEqual(['one\r\nTWO\r\n', ['one\nTWO\n']]);
  });

  it('that the editor does not save stays in it', async () => {
    onDisk('one\n');
    editor.buffers.set(path, 'one\n');
    editor.save = () => undefined;
    expect(await change('two\n')).toMatchObject({ where: 'editor' });
    expect(await read()).toMatchObject({ text: 'two\n', unsaved: true });
    expect(text()).toBe('one\n');
  });

  it('that the editor formats says so', async () => {
    onDisk('one\n');
    editor.buffers.set(path, 'one\n');
    editor.save = (file, to) => {
      writeFileSync(file, to.toUpperCase());
      editor.buffers.set(file, to.toUpperCase());
    };
    expect(await change('two\n')).toMatchObject({ where: 'disk', formatted: true });
  });

  it('of what is another version by now is not made', async () => {
    onDisk('one\n');
    editor.buffers.set(path, 'one\n');
    const { hash: baseHash } = await read();
    const attempt = (): Promise<unknown> => documents.apply({ action: 'modify', path, baseHash, text: 'two\n' }, signal);
    editor.buffers.set(path, 'mine\n');
    await expect(attempt()).rejects.toThrow(/changed/);
    editor.buffers.set(path, 'one\n');
    onDisk('other\n');
    await expect(attempt()).rejects.toThrow(/changed/);
    expect(editor.written).toEqual([]);
  });

  it('of a file in another encoding, or with mixed line endings, is made on the disk, byte for byte', async () => {
    for (const [disk, to] of [
      [Buffer.from('caf\u00E9\n', 'latin1'), 'caf\u00E9s\n'],
      [Buffer.from('\uFEFFone\n', 'utf16le'), 'two\n'],
      [Buffer.from('\uFEFFone\n'), 'two\n'],
      [Buffer.from('one\r\ntwo\n'), 'one\r\nTWO\n'],
    ] as const) {
      onDisk(disk);
      editor.buffers.set(path, disk.toString('utf8'));
      expect(await change(to)).toMatchObject({ where: 'disk' });
    }
    expect(editor.written).toEqual([]);
    expect(text()).toBe('one\r\nTWO\n');
  });

  it('is refused where unsaved changes would be lost, and where the file is read-only', async () => {
    onDisk('one\r\ntwo\n');
    editor.buffers.set(path, 'mine\n');
    await expect(change('x\n')).rejects.toThrow(/unsaved changes/);
    onDisk('one\n');
    const { hash: baseHash } = await read();
    await expect(documents.delete({ action: 'delete', path, baseHash }, signal)).rejects.toThrow(/unsaved changes/);
    await expect(documents.apply({ action: 'modify', from: path, path: join(folder, 'b.txt'), baseHash, text: 'x' }, signal)).rejects.toThrow(
      /unsaved changes/,
    );
    editor.buffers.set(path, 'one\n');
    chmodSync(path, 0o444);
    await expect(change('x\n')).rejects.toThrow(/read-only/);
    expect([text(), editor.written]).toEqual(['one\n', []]);
  });

  it('that the editor does not take is an error with its words', async () => {
    onDisk('one\n');
    editor.buffers.set(path, 'one\n');
    editor.write = () => Promise.reject(new Error('The buffer is locked.'));
    await expect(change('two\n')).rejects.toThrow('The editor did not take the change');
    expect(text()).toBe('one\n');
  });

  it('makes a file in another encoding on the disk, with its folders, byte for byte', async () => {
    const made = join(folder, 'deep/er/a.cs');
    const creation = { action: 'create', path: made, text: 'using A;\r\n', encoding: 'utf8bom' } as const;
    editor.buffers.set(made, 'never saved');
    await expect(documents.apply(creation, signal)).rejects.toThrow(/never saved/);
    editor.buffers.clear();
    expect(await documents.apply(creation, signal)).toMatchObject({ where: 'disk' });
    expect([readFileSync(made, 'utf8'), editor.written]).toEqual(['\uFEFFusing A;\r\n', []]);
  });

  it('makes a file through the editor, with its folders, where nothing is', async () => {
    const made = join(folder, 'src', 'made.txt');
    expect(await documents.apply({ action: 'create', path: made, text: 'made\n' }, signal)).toMatchObject({ where: 'disk' });
    expect([readFileSync(made, 'utf8'), editor.written]).toEqual(['made\n', ['made\n']]);
    await expect(documents.apply({ action: 'create', path: made, text: 'again\n' }, signal)).rejects.toThrow(/exists by now/);
    const open = join(folder, 'open.txt');
    editor.buffers.set(open, 'never saved\n');
    await expect(documents.apply({ action: 'create', path: open, text: 'x\n' }, signal)).rejects.toThrow(/never saved/);
    expect([existsSync(open), editor.written]).toEqual([false, ['made\n']]);
  });
});
