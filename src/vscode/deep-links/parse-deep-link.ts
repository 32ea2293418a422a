import { withoutUnseen } from '../../domain/hidden-characters.js';

/** Characters of a text that a link may bring: all of it has to be read before it is taken. */
const MAX_TEXT = 1_500;
/** Characters of the answer to a sign-in; codes are at most a few thousand long. */
const MAX_ANSWER = 16_000;
/** Format of session ids. */
const ID = /^[\w-]{1,100}$/;

/** Path of the address to which authorization servers send the browser. */
export const SIGN_IN_PATH = '/mcp/callback';

/** A parsed `vscode://` link into the extension. */
export type DeepLink =
  | { readonly kind: 'session'; readonly id: string }
  /** A text for the message box. */
  | { readonly kind: 'prompt'; readonly text: string }
  /** The answer to a sign-in to an MCP server. */
  | { readonly kind: 'sign-in'; readonly parameters: URLSearchParams }
  /** Nothing that Gnomon does. */
  | { readonly kind: 'refused'; readonly why: 'unknown' | 'too_long' | 'empty' };

/**
 * Parses `/session?id=…`, `/prompt?text=…`, and `/mcp/callback?state=…`. Invisible characters are removed from a text.
 * @param path of the address, decoded.
 * @param query of the address, as it is written.
 */
export function parseDeepLink(path: string, query: string): DeepLink {
  const values = new URLSearchParams(query);
  if (path === '/session') return sessionLink(values.get('id') ?? '');
  if (path === '/prompt') return promptLink(values.get('text') ?? '');
  if (path === SIGN_IN_PATH && query.length <= MAX_ANSWER) return signInLink(query);
  return { kind: 'refused', why: 'unknown' };
}

/** VS Code decodes a query before it passes it on, so a plus sign is one, and not a space. */
function signInLink(query: string): DeepLink {
  return { kind: 'sign-in', parameters: new URLSearchParams(query.replaceAll('+', '%2B')) };
}

function sessionLink(id: string): DeepLink {
  return ID.test(id) ? { kind: 'session', id } : { kind: 'refused', why: 'unknown' };
}

function promptLink(written: string): DeepLink {
  const text = withoutUnseen(written.replace(/\r\n?/g, '\n')).text.trim().toWellFormed();
  if (text.length > MAX_TEXT) return { kind: 'refused', why: 'too_long' };
  return text === '' ? { kind: 'refused', why: 'empty' } : { kind: 'prompt', text };
}
