/** A secret that was left out, and how long it was. */
export interface LeftOut {
  /** Its length in characters. */
  readonly characters: number;
}

/** Text of a request, in pieces: what was sent, and places where a secret was. Put together without a separator. */
export type SentText = readonly (string | LeftOut)[];

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
const SECRET_HEADER = /authorization|cookie|api-?key|token|secret|passw|credential|(?:^|[-_])auth(?:$|[-_])|jwt|(?:^|[-_])(?:session|signature|sig|key)(?:$|[-_])/i;
/** What precedes a key in its header and is no secret. */
const SCHEME = /^(?:bearer|basic|token) +/i;
/** A parameter of an address with a key in it, such as `?key=…`, `?code=…`, or `#access_token=…`: its name, then its value. */
const SECRET_PARAMETER = /([?&#;][\w.-]*(?:key|token|secret|sig|signature|passw\w*|auth\w*|code|credentials?|session\w*|sid|jwt|assertion|verifier)=)([^&#;]+)/i;
/** A user name and a password in an address. */
const ACCOUNT = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]+)(?=@)/i;
/** Characters from which on a known secret is looked for within other text; shorter ones could be any word. */
const MIN_WITHIN = 8;

/** A header without what is secret in it. */
export function sentHeader(name: string, value: string, { secrets, headers }: SecretsToLeaveOut): SentHeader {
  const holds = (secret: string): boolean => value === secret || (secret.length >= MIN_WITHIN && value.includes(secret));
  if (!SECRET_HEADER.test(name) && !headers.has(name.toLowerCase()) && !secrets.some(holds)) return { name, value: [value] };
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  return { name, value: [...(scheme === '' ? [] : [scheme]), { characters: value.length - scheme.length }] };
}

/** An address without the keys, passwords, and known secrets in it. */
export function sentUrl(url: string, { secrets }: SecretsToLeaveOut): SentText {
  const known = secrets.filter(({ length }) => length >= MIN_WITHIN).flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const without = known.reduce<SentText>((text, secret) => text.flatMap((piece) => (typeof piece === 'string' ? withoutKnown(piece, secret) : [piece])), [url]);
  return [ACCOUNT, SECRET_PARAMETER].reduce((text, find) => text.flatMap((piece) => (typeof piece === 'string' ? withoutFound(piece, find) : [piece])), without);
}

/** The text with a mark at each place where a secret was. */
export function shownText(text: SentText, mark: (leftOut: LeftOut) => string): string {
  return text.map((piece) => (typeof piece === 'string' ? piece : mark(piece))).join('');
}

function withoutKnown(text: string, secret: string): SentText {
  return text.split(secret).flatMap((part, index) => (index === 0 ? [part] : [{ characters: secret.length }, part]));
}

/** @param find two groups: what precedes the secret, and the secret */
function withoutFound(text: string, find: RegExp): SentText {
  return text.split(find).map((part, index) => (index % 3 === 2 ? { characters: part.length } : part));
}
