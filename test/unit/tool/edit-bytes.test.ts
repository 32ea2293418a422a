import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool, ToolResult } from '../../../src/domain/tool/tool.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createTools } from '../../../src/tool/index.js';
import { createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { textOf } from './rig.js';
import { settledPlan } from '../../support/settled-plan.js';
import { runs } from '../../support/runs.js';

/** The tools on a real folder. */
function onDisk(folder: string): (name: string, args: object) => Promise<ToolResult> {
  const workspace = createWorkspace(() => [{ name: 'ws', path: folder }], folder);
  const tools = createTools({ ...createMemoryWorkspace(), documents: createDiskDocuments(), workspace });
  return async (name, args) => {
    const tool = tools.find(({ spec }) => spec.name === name) as Tool;
    return tool.execute(await settledPlan(tool, args, toolContext()), toolContext());
  };
}

const utf16be = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  utf8: (text) => Buffer.from(text),
  'utf8 with a mark': (text) => Buffer.from(`\uFEFF${text}`),
  utf16le: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  utf16be,
  // The first byte is no UTF-8, so the rest is taken as windows-1252.
  'windows-1252': (text) => Buffer.concat([Buffer.from([0xe9]), Buffer.from(text, 'latin1')]),
};

const words = fc.stringMatching(/^[a-z0-9 é\t;{}"'()-]{0,12}$/);
const file = fc
  .tuple(fc.array(fc.tuple(words, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 }), words)
  .map(([lines, last]) => lines.map(([line, ending]) => line + ending).join('') + last);
const fresh = fc.array(words, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));

describe('edit on disk', () => {
  it('tool-06: applied and taken back, gives the same bytes, in every encoding and with every line ending', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'file.txt');
    await fc.assert(
      fc.asyncProperty(file, file, fresh, fc.constantFrom(...Object.values(ENCODINGS)), async (head, tail, text, encode) => {
        const [mark, other] = ['<MARK>', `<OTHER>${text}<END>`];
        const bytes = encode(`${head}${mark}${tail}`);
        writeFileSync(path, bytes);
        const call = onDisk(folder);
        expect(await call('edit', { file_path: path, edits: [{ old_string: mark, new_string: other }] })).toMatchObject({ isError: false });
        // No byte before or after the change is another.
        const changed = readFileSync(path);
        const [before, after] = [encode(head), encode(`${head}${mark}`).length];
        expect(changed.subarray(0, before.length).equals(before)).toBe(true);
        expect(changed.subarray(changed.length - (bytes.length - after)).equals(bytes.subarray(after))).toBe(true);
        expect(await call('edit', { file_path: path, edits: [{ old_string: other, new_string: mark }] })).toMatchObject({ isError: false });
        expect(readFileSync(path).equals(bytes)).toBe(true);
      }),
      { numRuns: runs(150) },
    );
  });

  it('tool-06: whole lines found by indentation or line endings change no other line', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'file.txt');
    const indent = fc.constantFrom('\t', '    ', ' \t');
    await fc.assert(
      fc.asyncProperty(file, file, indent, fc.constantFrom('\n', '\r\n'), async (head, tail, space, ending) => {
        const [start, end] = [`${head}${ending}`, `${ending}${tail}`];
        const call = onDisk(folder);
        writeFileSync(path, `${start}${space}<one>${ending}${space}  <two>${end}`);
        const result = await call('edit', { file_path: path, old_string: '<one>\n  <two>', new_string: '<one>\n<new>\n  <two>' });
        expect(textOf(result)).toMatch(/Not an exact match: /);
        expect(readFileSync(path, 'utf8')).toBe(`${start}${space}<one>${ending}${space}<new>${ending}${space}  <two>${end}`);
      }),
      { numRuns: runs(100) },
    );
  });

  it('tool-11, tool-08: goes on from its own edits, and not from those of others', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'file.txt');
    const call = onDisk(folder);
    writeFileSync(path, 'one two three\n');
    await call('read', { file_path: path });
    await call('edit', { file_path: path, old_string: 'one', new_string: '1' });
    await call('edit', { file_path: path, old_string: 'two', new_string: '2' });
    writeFileSync(path, '1 2 THREE\n');
    await expect(call('edit', { file_path: path, old_string: '1', new_string: 'one' })).rejects.toThrow(/changed since it was read/);
    expect(readFileSync(path, 'utf8')).toBe('1 2 THREE\n');
  });

  it('path-18: what cannot be read is said with what is there instead', async () => {
    const folder = temporaryFolder();
    const call = onDisk(folder);
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/index.ts'), '');
    expect(textOf(await call('read', { file_path: 'src/index.js' }))).toBe('src/index.js does not exist. Did you mean src/index.ts?');
    expect(textOf(await call('read', { file_path: 'src' }))).toBe('index.ts 0 bytes');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(textOf(await call('read', { file_path: 'pipe' }))).toMatch(/device, pipe or socket/);
    await expect(call('edit', { file_path: 'pipe', old_string: 'a', new_string: 'b' })).rejects.toThrow(/device, pipe or socket/);
    await expect(call('write', { file_path: 'pipe', content: '' })).rejects.toThrow(/is a device, not a file/);
    await expect(call('read', { file_path: 'a\0b' })).rejects.toThrow(/NUL/);
  });

  it('edits a file of 5 MB without keeping the host waiting', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'large.ts');
    const call = onDisk(folder);
    const text = Array.from({ length: 100_000 }, (_, index) => `  line ${index} of a source file, as programs write → them\n`).join('');
    writeFileSync(path, text);
    const turns = countTurns();
    const edits = [
      { old_string: 'line 0 ', new_string: 'first ' },
      { old_string: 'line 70000 of', new_string: 'x' },
      { old_string: 'line 99999 ', new_string: 'last ' },
    ];
    expect(await call('edit', { file_path: path, edits })).toMatchObject({ isError: false });
    expect(turns()).toBeGreaterThan(20);
    expect(readFileSync(path, 'utf8')).toBe(text.replace('line 0 ', 'first ').replace('line 70000 of', 'x').replace('line 99999 ', 'last '));
  });
});

/** Counts the turns of the event loop until the function it returns is called. */
function countTurns(): () => number {
  let count = 0;
  let running = true;
  const turn = (): void => {
    count += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    running = false;
    return count;
  };
}
