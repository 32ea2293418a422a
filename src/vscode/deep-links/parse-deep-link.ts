import { withoutUnseen } from '../../domain/hidden-characters.js';

/** Characters of a text that a link may bring: all of it has to be read before it is taken. */
const MAX_TEXT = 1_500;
/** What ids of sessions are made of. */
const ID = /^[\w-]{1,100}$/;

/** What a link into the extension asks for. */
export type DeepLink =
  | { readonly kind: 'session'; readonly id: string }
  /** A text for the message box. */
  | { readonly kind: 'prompt'; readonly text: string }
  /** Nothing that Gnomon does. */
  | { readonly kind: 'refused'; readonly why: 'unknown' | 'too_long' | 'empty' };

/**
 * Parses `/session?id=…` and `/prompt?text=…`. Invisible characters are removed from a text.
 * @param path of the address, decoded.
 * @param query of the address, as it is written.
 */
export function parseDeepLink(path: string, query: string): DeepLink {
  const values = new URLSearchParams(query);
  if (path === '/session') return sessionLink(values.get('id') ?? '');
  if (path === '/prompt') return promptLink(values.get('text') ?? '');
  return { kind: 'refused', why: 'unknown' };
}

function sessionLink(id: string): DeepLink {
  return ID.test(id) ? { kind: 'session', id } : { kind: 'refused', why: 'unknown' };
}

function promptLink(written: string): DeepLink {
  const text = withoutUnseen(written.replace(/\r\n?/g, '\n')).text.trim().toWellFormed();
  if (text.length > MAX_TEXT) return { kind: 'refused', why: 'too_long' };
  return text === '' ? { kind: 'refused', why: 'empty' } : { kind: 'prompt', text };
}
