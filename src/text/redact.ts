import type { SecretPattern } from './redact-patterns.js';
import { ADDRESS_PATTERNS, SECRET_PATTERNS } from './redact-patterns.js';

/** What stands in the place of a credential. */
const REDACTED = '[redacted]';
/** The first and the last line of a private key. */
const KEY_EDGE = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** What a private key that was cut off consists of: base64, with its line endings as such or escaped. */
const KEY_BODY = /[A-Za-z0-9+/=\s\\]*/y;
/** Characters from which on a known secret is one; shorter ones could be any word. */
const MIN_KNOWN = 8;

/**
 * A text with what looks like credentials replaced by `[redacted]`; every other character stays as it is. It takes time
 * in proportion to the text. For logs and exports; not for what the person decides on.
 * @param known secrets by their exact text, whatever they look like.
 */
export function redact(text: string, known: readonly string[] = []): string {
  const withoutKnown = known.filter(({ length }) => length >= MIN_KNOWN).reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  return SECRET_PATTERNS.reduce(replacePattern, redactPrivateKeys(withoutKnown));
}

/** A text with the passwords and tokens in addresses and in headers replaced: what `git remote -v` and settings of Git show. */
export function redactAddresses(text: string): string {
  return ADDRESS_PATTERNS.reduce(replacePattern, text);
}

function replacePattern(text: string, { find, accept }: SecretPattern): string {
  return text.replace(find, (match: string, ...rest: unknown[]) => {
    const { before, after } = edgesOf(rest.at(-1));
    const secret = match.slice(before.length, match.length - after.length);
    return accept?.(secret) === false ? match : `${before}${REDACTED}${after}`;
  });
}

interface Edges {
  readonly before: string;
  readonly after: string;
}

/** The named groups are the last argument of a replacer, where the pattern has any. */
function edgesOf(groups: unknown): Edges {
  const { before = '', after = '' }: Partial<Edges> = typeof groups === 'object' && groups !== null ? groups : {};
  return { before, after };
}

/** Replaces what stands between the first and the last line of each private key; without a last line, what could be of it. */
function redactPrivateKeys(text: string): string {
  const edges = [...text.matchAll(KEY_EDGE)];
  let result = '';
  let copied = 0;
  edges.forEach((edge, index) => {
    const start = edge.index + edge[0].length;
    if (edge[1] !== 'BEGIN' || start < copied) return;
    const next = edges[index + 1];
    const end = next?.[1] === 'END' ? next.index : endOfBody(text, start);
    if (text.slice(start, end).trim() === '') return;
    result += `${text.slice(copied, start)}${REDACTED}`;
    copied = end;
  });
  return result + text.slice(copied);
}

function endOfBody(text: string, start: number): number {
  KEY_BODY.lastIndex = start;
  return start + (KEY_BODY.exec(text)?.[0].trimEnd().length ?? 0);
}
