import { createHash } from 'node:crypto';

/** Characters of an id that a program gives to a message of its own at most. */
const MAX_ID = 200;

/**
 * The messages of the user by their ids, and where they are in the conversation. A program can give an id of its own to a message (`uuid` of the
 * frame); all have another one that follows from the session and their place, so that it is the same in a later run.
 */
export class SaidMessages {
  private readonly places = new Map<string, number>();

  /** Notes a message. @param wanted the id that its program gave it; one that is taken, or none, does not count. @returns its id */
  note(session: string, index: number, wanted: unknown): string {
    const usable = typeof wanted === 'string' && wanted !== '' && wanted.length <= MAX_ID && !this.places.has(wanted);
    if (!usable) return idOf(session, index);
    this.places.set(wanted, index);
    return wanted;
  }

  /** Where a message is. @param indexes the places of all messages of the user. @returns `undefined` for an id that none has */
  find(session: string, id: string, indexes: readonly number[]): number | undefined {
    return this.places.get(id) ?? indexes.find((index) => idOf(session, index) === id);
  }
}

/** A UUID that follows from both (RFC 9562, version 8). */
function idOf(session: string, index: number): string {
  const hex = createHash('sha256').update(`${session}\n${index}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
