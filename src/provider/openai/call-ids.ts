import { createHash, randomBytes } from 'node:crypto';
import type { Dialect } from './dialect.js';

const NINE = /^[a-zA-Z0-9]{9}$/;

/** An id for a call that came without one, or with one that another call has. */
export function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}

/**
 * The id of a call as the server takes it. The same id always becomes the same, so that call and result stay together
 * and a longer conversation begins with the bytes of the shorter one.
 */
export function wireCallId(id: string, { callIds }: Pick<Dialect, 'callIds'>): string {
  return callIds === 'any' || NINE.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}
