import type { SentRequest, Sender } from '../../provider/http/request-log.js';
import type { SentText } from '../../provider/http/sent-text.js';

/** Headers that curl writes on its own, for its own connection, and encodings that it would print as they come. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);
/** The variable for what is secret in a body. */
const BODY_SECRET = 'SECRET_IN_BODY';
/** Headers with the key of the provider. */
const KEY_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']);

/**
 * A command for POSIX shells that sends the same request again. Keys are variables, which the user has to set. The body comes
 * from `printf`, which is part of the shell, because one argument of a program may have no more than 128 KiB on Linux
 * (`MAX_ARG_STRLEN`, execve(2)), and a here-document would add a line end.
 * @param body where a secret is left out in it, the command has a variable of its own
 */
export function curlCommand({ method, url, headers, sender }: SentRequest, body: SentText): string {
  const key = keyVariable(sender);
  const options = [
    `--request ${quoted([method], key)}`,
    // Addresses are taken as they are.
    '--globoff',
    quoted(url, key),
    ...headers
      .filter(({ name }) => !OWN_HEADERS.has(name.toLowerCase()))
      .map(({ name, value }) => `--header ${quoted(headerText(name, value), variableFor(name, key))}`),
    '--data-binary @-',
  ];
  return `printf '%s' ${quoted(body, BODY_SECRET)} | curl ${options.join(' \\\n  ')}\n`;
}

/** curl takes a header without a value for the wish to leave it out, unless it ends with a semicolon. */
function headerText(name: string, value: SentText): SentText {
  return value.every((piece) => piece === '') ? [`${name};`] : [`${name}: `, ...value];
}

function keyVariable({ keyVariable: known, provider }: Sender): string {
  return known ?? `${asVariable(provider)}_API_KEY`;
}

/** The variable for the secret in a header. Its beginning keeps the name of a header from being that of another variable. */
function variableFor(header: string, key: string): string {
  return KEY_HEADERS.has(header.toLowerCase()) ? key : `HEADER_${asVariable(header)}`;
}

function asVariable(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_');
}

/** One word of the command line: text in single quotes, in which a shell changes nothing, and secrets as a variable. */
function quoted(text: SentText, variable: string): string {
  const joined = text.reduce<SentText>((done, piece) => {
    const last = done.at(-1);
    return typeof piece === 'string' && typeof last === 'string' ? [...done.slice(0, -1), last + piece] : [...done, piece];
  }, []);
  return joined.map((piece) => (typeof piece === 'string' ? `'${piece.replaceAll("'", String.raw`'\''`)}'` : `"$${variable}"`)).join('');
}
