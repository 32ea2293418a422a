import { Sections } from './sections.js';

/** Estimated height of a chunk before its first layout, in pixels. */
const CHUNK_HEIGHT = 800;
/** Characters after which a chunk ends at the next line feed. */
const CHUNK_LENGTH = 2_048;
/** Characters after which a chunk ends even inside of a line. */
const MAX_CHUNK_LENGTH = 8_192;

/**
 * Plain text that grows without limit at constant cost: it is kept in blocks of a few thousand characters, and what is
 * outside of the window is neither laid out nor painted. The text content of the host is exactly the text.
 */
export class ChunkedText {
  private readonly sections: Sections;
  private last: Text | undefined;
  /** Characters of the last chunk; others may have taken some out of its text node. */
  private length = 0;

  constructor(private readonly host: HTMLElement) {
    this.sections = new Sections(host, CHUNK_HEIGHT);
  }

  /** Adds text at the end. */
  append(text: string): void {
    let from = 0;
    while (from < text.length) {
      const end = chunkEnd(text, from, this.length);
      this.fill(text.slice(from, end.at));
      this.length += end.at - from;
      if (end.closes) this.close();
      from = end.at;
    }
  }

  /** Removes all text. */
  clear(): void {
    this.host.replaceChildren();
    this.sections.clear();
    this.close();
  }

  private close(): void {
    this.last = undefined;
    this.length = 0;
  }

  private fill(text: string): void {
    if (this.last !== undefined) {
      this.last.appendData(text);
      return;
    }
    this.last = document.createTextNode(text);
    const chunk = document.createElement('span');
    chunk.className = 'chunk';
    chunk.append(this.last);
    this.sections.add(chunk);
  }
}

/** Where the current chunk, which has `length` characters, ends in the text. */
function chunkEnd(text: string, from: number, length: number): { readonly at: number; readonly closes: boolean } {
  const newline = text.indexOf('\n', from + Math.max(0, CHUNK_LENGTH - length));
  const limit = from + Math.max(1, MAX_CHUNK_LENGTH - length);
  if (newline >= 0 && newline < limit) return { at: newline + 1, closes: true };
  if (text.length < limit) return { at: text.length, closes: false };
  const space = text.lastIndexOf(' ', limit);
  const at = space > from && space > limit - CHUNK_LENGTH ? space + 1 : limit;
  const code = text.charCodeAt(at);
  return { at: code >= 0xdc00 && code <= 0xdfff ? at + 1 : at, closes: true };
}
