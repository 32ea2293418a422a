import type { LineReplacement } from './line-replacement.js';
import { signatureOf } from './line-replacement.js';

/** Changes that are remembered for a document, and documents. */
const MAX_CHANGES = 50;
const MAX_DOCUMENTS = 20;

/** What a person did not want, for each document, so that it is not shown again. */
export class RefusedChanges {
  private readonly byDocument = new Map<string, readonly string[]>();

  /** Remembers a change. */
  add(document: string, change: Pick<LineReplacement, 'before' | 'after'>): void {
    const known = this.byDocument.get(document) ?? [];
    this.byDocument.delete(document);
    this.byDocument.set(document, [...known, signatureOf(change)].slice(-MAX_CHANGES));
    const [oldest] = this.byDocument.keys();
    if (this.byDocument.size > MAX_DOCUMENTS && oldest !== undefined) this.byDocument.delete(oldest);
  }

  /** Whether a change, wherever it stands, was refused before. */
  has(document: string, change: LineReplacement): boolean {
    return this.byDocument.get(document)?.includes(signatureOf(change)) === true;
  }

  /** Forgets a document. */
  forget(document: string): void {
    this.byDocument.delete(document);
  }
}
