import { list, record, text } from './json.js';

type Detail = Record<string, unknown>;

/** The fields of a block that grow from chunk to chunk. */
const GROWING = ['text', 'summary'] as const;

/**
 * Puts the list `reasoning_details` together: it comes in pieces, and pieces of one block follow each other. Encrypted
 * blocks come whole. Source: openrouter.ai/docs, "Reasoning tokens".
 */
export class DetailReader {
  private readonly details: Detail[] = [];

  /** Takes the pieces of a chunk. @returns the readable text in them. */
  add(value: unknown): string {
    return list(value)
      .map((piece) => {
        const detail = record(piece);
        if (detail === undefined) return '';
        this.take(detail);
        return GROWING.map((field) => text(detail[field])).join('');
      })
      .join('');
  }

  /** The blocks so far. */
  all(): readonly unknown[] {
    return this.details;
  }

  private take(piece: Readonly<Detail>): void {
    const last = this.details.at(-1);
    const field = GROWING.find((name) => typeof piece[name] === 'string');
    const same = last !== undefined && field !== undefined && last['type'] === piece['type'] && last['index'] === piece['index'];
    if (!same) {
      this.details.push({ ...piece });
      return;
    }
    const grown = text(last[field]) + text(piece[field]);
    for (const [key, value] of Object.entries(piece)) if (value !== null && value !== undefined) last[key] = value;
    last[field] = grown;
  }
}
