/** Range of pages of a PDF document. */
export interface PageRange {
  /** Number of the first page, from 1. */
  readonly first: number;
  /** The most pages. */
  readonly pages: number;
  /** After this many characters no further page is begun. */
  readonly characters: number;
  /** The most characters of one page. */
  readonly pageCharacters: number;
}

/** The text of one page. */
export interface PdfPage {
  readonly number: number;
  /** Empty where the page is an image only; `undefined` where it is broken. */
  readonly text: string | undefined;
  /** Number of characters left out at the end. */
  readonly omitted: number;
}

/** Some pages of a document. */
export interface PdfPages {
  /** Number of pages. */
  readonly total: number;
  readonly pages: readonly PdfPage[];
}

/** Gets the text out of PDF documents. */
export interface PdfReader {
  /** @throws ToolInputError for what is broken, protected with a password, or takes too much time or memory. */
  read(bytes: Uint8Array, range: PageRange, signal: AbortSignal): Promise<PdfPages>;
}
