import type { PdfPage, PdfPages } from '../../domain/workspace/pdf.js';
import type { ResultLine } from '../../domain/tool/model-notes.js';
import { count } from '../../text/show.js';

/** Pages of a PDF document as text, each after a line with its number. */
export function pagesText({ total, pages }: PdfPages): string {
  return pages.map((page) => `--- page ${page.number} of ${total}\n${pageText(page)}`).join('\n');
}

function pageText({ text, omitted }: PdfPage): string {
  if (text === undefined) return '[This page is broken and cannot be read.]';
  if (text === '') return '[no text]';
  return omitted === 0 ? text : `${text}… [${count(omitted, 'more character')} on this page]`;
}

/** What to do about pages without text; nothing when there is some. */
export function scanNote({ pages }: PdfPages): readonly string[] {
  if (pages.length === 0 || pages.some(({ text }) => text !== '')) return [];
  return [
    '[There is no text on these pages: they are pictures, as of a scan. To see one, make a png of it with a command, such as pdftoppm -png -r 100 -f 1 -l 1 FILE page, and read that.]',
  ];
}

/** What `read` shows of a document. `offset` and `limit` count pages, which the result says. */
export function shownPages(name: string, document: PdfPages): readonly ResultLine[] {
  const { total, pages } = document;
  const last = pages.at(-1)?.number ?? 0;
  const rest =
    last < total
      ? [{ note: `[PARTIAL: pages ${pages[0]?.number ?? 0}-${last} of ${total}. Continue with offset ${last + 1}: offset and limit count pages here.]` }]
      : [];
  return [`[${name}: PDF document, ${count(total, 'page')}.]`, ...scanNote(document), pagesText(document), ...rest];
}
