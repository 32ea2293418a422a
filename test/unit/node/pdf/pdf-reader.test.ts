import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageRange, PdfPages } from '../../../../src/domain/workspace/pdf.js';
import { createPdfReader } from '../../../../src/node/pdf/pdf-reader.js';
import { buildPdfProgram } from '../../../support/pdf-program.js';
import { pdfOf } from '../../../support/pdf-writer.js';

const ALL: PageRange = { first: 1, pages: 1_000, characters: 1_000_000, pageCharacters: 1_000_000 };
const NUMBERED = Array.from({ length: 120 }, (_, index) => `This is page ${index + 1}\nwith a second line (and more)`);

describe('reading PDF documents', { timeout: 60_000 }, () => {
  let built: Awaited<ReturnType<typeof buildPdfProgram>>;
  beforeAll(async () => {
    built = await buildPdfProgram();
  });
  afterAll(() => built.remove());

  const read = (
    bytes: Uint8Array,
    range: Partial<PageRange> = {},
    options: { readonly signal?: AbortSignal; readonly timeLimitMs?: number } = {},
  ): Promise<PdfPages> =>
    createPdfReader({ program: built.program, ...options }).read(bytes, { ...ALL, ...range }, options.signal ?? new AbortController().signal);

  it('gives the lines of each page', async () => {
    expect(await read(pdfOf(['Hello (World)\nzwölf', '', 'last']))).toEqual({
      total: 3,
      pages: [
        { number: 1, text: 'Hello (World)\nzwölf', omitted: 0 },
        { number: 2, text: '', omitted: 0 },
        { number: 3, text: 'last', omitted: 0 },
      ],
    });
  });

  it('gives the pages that are wanted of 120, up to a number of pages and of characters', async () => {
    const document = pdfOf(NUMBERED);
    expect(await read(document, { first: 119 })).toEqual({
      total: 120,
      pages: [119, 120].map((number) => ({ number, text: NUMBERED[number - 1], omitted: 0 })),
    });
    expect((await read(document, { first: 10, pages: 3 })).pages.map(({ number }) => number)).toEqual([10, 11, 12]);
    expect((await read(document, { characters: 100 })).pages.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect((await read(document, { pages: 1, pageCharacters: 4 })).pages).toEqual([{ number: 1, text: 'This', omitted: (NUMBERED[0]?.length ?? 0) - 4 }]);
    expect(await read(document, { first: 121 })).toEqual({ total: 120, pages: [] });
  });

  it('says what is protected with a password; an empty one opens', async () => {
    await expect(read(pdfOf(['secret'], { password: 'pw' }))).rejects.toThrow('The PDF document is protected with a password.');
    expect((await read(pdfOf(['open'], { password: '' }))).pages[0]?.text).toBe('open');
  });

  it.each([
    ['no document', Buffer.from('%PDF-1.4\nnothing')],
    ['cut off', pdfOf(['a']).subarray(0, 60)],
  ])('says what is broken: %s', async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow(/^The PDF document is broken: /);
  });

  it('comes to an end with a tree of pages that has none, which PDF.js repairs', async () => {
    const endless = '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 9>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF';
    expect(await read(Buffer.from(endless))).toEqual({ total: 1, pages: [{ number: 1, text: '', omitted: 0 }] });
  });

  it('ends what takes too long or too much memory, and what is stopped', async () => {
    const bomb = pdfOf(['x'], { stream: Buffer.from('BT (a) Tj ET '.repeat(3_000_000)) });
    await expect(read(bomb, {}, { timeLimitMs: 1_500 })).rejects.toThrow(/takes longer than 1.5 seconds|too much memory/);
    const stopped = new AbortController();
    const reading = read(bomb, {}, { signal: stopped.signal });
    stopped.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('reads more documents than it reads at once', async () => {
    const reader = createPdfReader({ program: built.program });
    const texts = await Promise.all(['a', 'b', 'c', 'd'].map((text) => reader.read(pdfOf([text]), ALL, new AbortController().signal)));
    expect(texts.map(({ pages }) => pages[0]?.text)).toEqual(['a', 'b', 'c', 'd']);
  });
});
