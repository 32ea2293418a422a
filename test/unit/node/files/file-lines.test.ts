import { execFileSync } from 'node:child_process';
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineWindow, LineStretch } from '../../../../src/domain/workspace/documents.js';
import { readFileLines } from '../../../../src/node/files/file-lines.js';
import { folderNames } from '../../../../src/node/files/disk-documents.js';
import { LineScanner } from '../../../../src/text/line-scanner.js';
import { stretchOf } from '../../../../src/tool/reading/numbered-lines.js';
import { inSlices } from '../../../../src/concurrency/steps.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { runs } from '../../../support/runs.js';

const { signal } = new AbortController();
const range = (first: number, lines: number): LineWindow => ({ first, lines, lineCharacters: 100, characters: 10_000 });
const MB = 1024 * 1024;

describe('readFileLines', () => {
  it('tool-13: finds lines of a 2 GB file in bounded memory, and stops when it has them', async () => {
    const path = join(temporaryFolder(), 'big.log');
    writeFileSync(path, 'one\r\ntwo\nthree\n');
    truncateSync(path, 2 * 1024 * MB);
    const before = process.memoryUsage().rss;
    const found = await readFileLines(path, range(2, 2), signal);
    expect(found).toEqual({
      lines: [
        { text: 'two', omitted: 0 },
        { text: 'three', omitted: 0 },
      ],
      total: undefined,
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * MB);
  });

  it('tool-13: keeps only the beginning of a 50 MB line', async () => {
    const path = join(temporaryFolder(), 'long');
    writeFileSync(path, 'a\n');
    for (let part = 0; part < 50; part += 1) appendFileSync(path, 'é'.repeat(MB / 2));
    appendFileSync(path, '\nlast');
    const found = await readFileLines(path, range(2, 5), signal);
    expect(found.total).toBe(3);
    expect(found.lines).toEqual([
      { text: 'é'.repeat(100), omitted: 50 * MB - 200 },
      { text: 'last', omitted: 0 },
    ]);
  });

  it('reads UTF-16 and older encodings, and goes on after the last line', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, Buffer.from('\uFEFFeins\r\nzwöi\n', 'utf16le'));
    expect(await readFileLines(path, range(2, 5), signal)).toEqual({ lines: [{ text: 'zwöi', omitted: 0 }], total: 2 });
    writeFileSync(path, Buffer.from('\uFEFFeins\nzwöi', 'utf16le').swap16());
    expect(await readFileLines(path, range(1, 1), signal)).toEqual({ lines: [{ text: 'eins', omitted: 0 }], total: undefined });
    writeFileSync(path, Buffer.from('caf\xe9\n', 'latin1'));
    expect(await readFileLines(path, range(1, 5), signal)).toEqual({ lines: [{ text: 'café', omitted: 0 }], total: 1 });
    expect(await readFileLines(path, range(3, 5), signal)).toEqual({ lines: [], total: 1 });
  });

  it('path-18: refuses pipes and devices at once', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readFileLines(pipe, range(1, 1), signal)).rejects.toThrow(/device, pipe or socket/);
    await expect(readFileLines('/dev/zero', range(1, 1), signal)).rejects.toThrow(/device, pipe or socket/);
  });

  it('is the same as reading the whole, however the bytes come in', async () => {
    const texts = fc.array(fc.constantFrom('a', 'é', '🎉', '\n', '\r', '\r\n', 'long text')).map((parts) => parts.join(''));
    const encodings = fc.constantFrom('single' as const, 'utf16le' as const, 'utf16be' as const);
    const wanted = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 20, max: 40 }));
    await fc.assert(
      fc.asyncProperty(texts, encodings, wanted, fc.integer({ min: 1, max: 5 }), async (text, units, [first, lines, characters], step) => {
        const whole: LineStretch = await inSlices(stretchOf(text, { first, lines, lineCharacters: 1_000, characters }));
        const wide = Buffer.from(text, 'utf16le');
        const bytes = units === 'single' ? Buffer.from(text) : units === 'utf16le' ? wide : wide.swap16();
        const scanner = new LineScanner({ first, lines, lineCharacters: 1_000, characters }, units);
        let used = 0;
        for (let at = 0; at < bytes.length; at += 2 * step) {
          const part = bytes.subarray(at, at + 2 * step);
          const taken = scanner.add(part);
          used += taken;
          if (taken < part.length) break;
        }
        const found = scanner.stretch(used === bytes.length);
        expect(found.lines).toEqual(whole.lines);
        expect([undefined, whole.total]).toContain(found.total);
      }),
      { numRuns: runs(500) },
    );
  });

  it('does nothing once it was stopped', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'x'.repeat(3 * MB));
    await expect(readFileLines(path, range(2, 1), AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
});

describe('folderNames', () => {
  it('lists files and folders in order, and says that there are more', async () => {
    const folder = temporaryFolder();
    for (const name of ['b', 'a', 'c']) writeFileSync(join(folder, name), '');
    execFileSync('mkdir', [join(folder, 'd')]);
    expect(await folderNames(folder, 2, signal)).toEqual({ names: ['a', 'b'], more: true });
    expect(await folderNames(folder, 9, signal)).toEqual({ names: ['a', 'b', 'c', 'd/'], more: false });
    await expect(folderNames(join(folder, 'none'), 2, signal)).rejects.toThrow(/does not exist/);
    await expect(folderNames(join(folder, 'a'), 2, signal)).rejects.toThrow(/does not exist: a part/);
  });
});
