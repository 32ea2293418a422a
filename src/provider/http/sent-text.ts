import { type LeftOut, type SentText, containsSecret, withoutSecrets } from './known-secrets.js';

export type { LeftOut, SentText } from './known-secrets.js';

/** A header as it was sent. */
export interface SentHeader {
  readonly name: string;
  readonly value: SentText;
}

/** What must not be noted of a request. */
export interface SecretsToLeaveOut {
  /** Known secrets by their exact text. */
  readonly secrets: readonly string[];
  /** Names of headers whose whole value is left out, in lower case. */
  readonly headers: ReadonlySet<string>;
}

/** Headers that carry keys, by what their names have in common: `Authorization`, `x-api-key`, `api-key`, `x-goog-api-key`, `X-Auth`, `Cookie`. */
const SECRET_HEADER =
  /authorization|cookie|api-?key|token|secret|passw|credential|(?:^|[-_])auth(?:$|[-_])|jwt|(?:^|[-_])(?:session|signature|sig|key)(?:$|[-_])/i;
/** What precedes a key in its header and is no secret. */
const SCHEME = /^(?:bearer|basic|token) +/i;
/** A parameter of an address with a key in it, such as `?key=…`, `?code=…`, or `#access_token=…`: its name, then its value. */
const SECRET_PARAMETER =
  /([?&#;][\w.%-]*(?:key|token|secret|sig|signature|passw\w*|pwd|auth\w*|code|credentials?|session\w*|sid|jwt|assertion|verifier)=)([^&#;]+)/i;
/** A user name and a password in an address. */
const ACCOUNT = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]+)(?=@)/i;

/** A header without what is secret in it. */
export function sentHeader(name: string, value: string, { secrets, headers }: SecretsToLeaveOut): SentHeader {
  const isSecret = SECRET_HEADER.test(name) || headers.has(name.toLowerCase()) || secrets.includes(value) || containsSecret(value, secrets);
  if (!isSecret) return { name, value: [value] };
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  return { name, value: [...(scheme === '' ? [] : [scheme]), { characters: value.length - scheme.length }] };
}

/** An address without the keys, passwords, and known secrets in it. */
export function sentUrl(url: string, { secrets }: SecretsToLeaveOut): SentText {
  const without = withoutSecrets(url, secrets);
  return [ACCOUNT, SECRET_PARAMETER].reduce(
    (text, find) => text.flatMap((piece) => (typeof piece === 'string' ? withoutFound(piece, find) : [piece])),
    without,
  );
}

/** The text with a mark at each place where a secret was. */
export function shownText(text: SentText, mark: (leftOut: LeftOut) => string): string {
  return text.map((piece) => (typeof piece === 'string' ? piece : mark(piece))).join('');
}

/** What of a request is a secret by the name that it has there: values of headers, and of parameters of the address. */
export function namedSecrets(url: URL, headers: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.entries(headers).flatMap(([name, value]) => (SECRET_HEADER.test(name) ? [value.replace(SCHEME, '')] : []));
  const parameters = [...url.searchParams].flatMap(([name, value]) => (SECRET_PARAMETER.test(`?${name}=x`) ? [value] : []));
  return [...named, ...parameters];
}

/** @param find two groups: what precedes the secret, and the secret */
function withoutFound(text: string, find: RegExp): SentText {
  return text.split(find).map((part, index) => (index % 3 === 2 ? { characters: part.length } : part));
}
