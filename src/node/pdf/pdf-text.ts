import { getDocument } from 'unpdf/pdfjs';
import type { PageRange, PdfPage, PdfPages } from '../../domain/workspace/pdf.js';

type PdfDocument = Awaited<ReturnType<typeof getDocument>['promise']>;

/**
 * The text of some pages, by PDF.js. Nothing is loaded from elsewhere, nothing is drawn, and no code is made of what is in
 * the document. It can run for long, or out of memory, so it belongs into a process of its own.
 * @throws what PDF.js throws for documents that it cannot open.
 */
export async function pdfPages(data: Uint8Array, { first, pages: most, characters, pageCharacters }: PageRange): Promise<PdfPages> {
  const document = await getDocument({
    data,
    isEvalSupported: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
  }).promise;
  const pages: PdfPage[] = [];
  let left = characters;
  for (let number = first; number <= document.numPages && pages.length < most && left > 0; number += 1) {
    const text = await pageText(document, number);
    pages.push({ number, text: text?.slice(0, pageCharacters), omitted: Math.max((text?.length ?? 0) - pageCharacters, 0) });
    left -= text?.length ?? 0;
  }
  return { total: document.numPages, pages };
}

/** The lines of a page; `undefined` when it is broken. */
async function pageText(document: PdfDocument, number: number): Promise<string | undefined> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('')
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  } catch {
    // Other pages may be whole.
    return undefined;
  }
}
