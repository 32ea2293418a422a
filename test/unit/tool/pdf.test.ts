import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PdfReader } from '../../../src/domain/workspace/pdf.js';
import type { ToolResult } from '../../../src/domain/tool/tool.js';
import { createPdfReader } from '../../../src/node/pdf/pdf-reader.js';
import { createFetchTool } from '../../../src/tool/fetch.js';
import { createTools } from '../../../src/tool/index.js';
import { createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { buildPdfProgram } from '../../support/pdf-program.js';
import { pdfOf } from '../../support/pdf-writer.js';
import { rig, textOf } from './rig.js';

describe('PDF documents', { timeout: 60_000 }, () => {
  let built: Awaited<ReturnType<typeof buildPdfProgram>>;
  let pdf: PdfReader;
  beforeAll(async () => {
    built = await buildPdfProgram();
    pdf = createPdfReader(built);
  });
  afterAll(() => built.remove());

  async function read(bytes: Buffer, args: object = {}): Promise<ToolResult> {
    const memory = createMemoryWorkspace({ files: { '/ws/a.pdf': bytes } });
    const tool = createTools({ ...memory, pdf }).find(({ spec }) => spec.name === 'read');
    if (tool === undefined) throw new Error('There is no tool read.');
    return tool.execute(await tool.plan({ file_path: 'a.pdf', ...args }, toolContext()), toolContext());
  }

  const pages = Array.from({ length: 120 }, (_, index) => `Page ${index + 1}\n${`${'words '.repeat(11)}words\n`.repeat(25)}`);

  it('shows pages with their numbers', async () => {
    expect(textOf(await read(pdfOf(['one\ntwo', 'three'])))).toBe('[a.pdf: PDF document, 2 pages.]\n--- page 1 of 2\none\ntwo\n--- page 2 of 2\nthree');
  });

  it('shows 120 pages in parts, and says how to go on', async () => {
    const document = pdfOf(pages);
    const shown = textOf(await read(document));
    expect(shown.length).toBeLessThan(80_000);
    const next = Number(/\[PARTIAL: pages 1-(\d+) of 120\. Continue with offset \d+: offset and limit count pages here\.\]$/.exec(shown)?.[1]) + 1;
    expect(textOf(await read(document, { offset: next, limit: 2 }))).toMatch(
      new RegExp(`pages\\.\\]\\n--- page ${next} of 120\\nPage ${next}\\n[^]*\\[PARTIAL: pages ${next}-${next + 1} of 120\\.`),
    );
    expect(textOf(await read(document, { offset: 120 }))).toMatch(/--- page 120 of 120\nPage 120\n[^[]*$/);
    expect(await read(document, { offset: 121 })).toMatchObject({
      isError: true,
      content: [{ text: 'a.pdf has 120 pages, and offset counts pages; 121 is past the end.' }],
    });
  });

  it('says what has no text, what is protected and what is broken', async () => {
    expect(textOf(await read(pdfOf(['', ''])))).toMatch(/^\[a\.pdf: PDF document, 2 pages\.\]\n\[There is no text on these pages: they are images/);
    expect(await read(pdfOf(['x'], { password: 'pw' }))).toMatchObject({
      isError: true,
      content: [{ text: 'The PDF document is protected with a password. Ask the user for a copy without one.' }],
    });
    expect(await read(Buffer.from('%PDF-1.7 no'))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^The PDF document is broken: /) as string }],
    });
  });

  it('cannot be edited, and is a binary file where nothing reads it', async () => {
    const { call, tool } = rig({ files: { '/ws/a.pdf': pdfOf(['x']) } });
    expect(textOf(await call('read', { file_path: 'a.pdf' }))).toMatch(/^a\.pdf is a binary file \(PDF document\)/);
    await expect(tool('edit').plan({ file_path: 'a.pdf', edits: [{ old_string: 'x', new_string: 'y' }] }, toolContext())).rejects.toThrow(/not a text file/);
  });

  it('is fetched as text, which is read on', async () => {
    const get = (url: string): Promise<{ url: string; status: number; contentType: string; text: string; pdf: Buffer; truncated: boolean }> =>
      Promise.resolve({ url, status: 200, contentType: 'application/pdf', text: '', pdf: pdfOf(pages.slice(0, 40)), truncated: false });
    const tool = createFetchTool({ webPages: { get }, pdf });
    const fetched = async (offset: number): Promise<string> =>
      textOf(await tool.execute(await tool.plan({ url: 'https://site.example/a.pdf', offset }, toolContext()), toolContext()));
    const first = await fetched(0);
    expect(first).toMatch(/\n<web_page>\n--- page 1 of 40\nPage 1\n/);
    expect(first).toMatch(/Go on with offset 40000\.\]$/);
    expect(await fetched(40_000)).toMatch(/--- page 40 of 40\nPage 40\n[^<]*\n<\/web_page>$/);
  });
});
