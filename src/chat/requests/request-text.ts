import { escapeHidden } from '../../domain/hidden-characters.js';
import { formatNumber, t, textLanguage } from '../../domain/l10n.js';
import type { Usage } from '../../domain/model/usage.js';
import { bodyBytes, type Sender, type SentRequest } from '../../provider/http/request-log.js';
import { withoutSecrets } from '../../provider/http/known-secrets.js';
import { type SentText, shownText } from '../../provider/http/sent-text.js';
import { formatBody } from './format-body.js';
import { requestParts } from './request-parts.js';

/** View of a request: with its body as sent, with its body formatted, or the formatted body alone. */
export type RequestView = 'sent' | 'formatted' | 'body';

/** The body of a request as text. */
export function bodyText({ body }: SentRequest): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bodyBytes(body));
}

/**
 * The body of a request as it is shown: with what is known to be secret in pieces of its own.
 * @param known the secrets of the window
 */
export function shownBody(request: SentRequest, known: readonly string[] = []): SentText {
  return withoutSecrets(bodyText(request), known);
}

/** The text with a mark in place of each secret, for reading and copying. */
export function marked(text: SentText): string {
  return shownText(text, ({ characters }) => `‹${t('redacted: {0} characters', characters)}›`);
}

/** A request as a document: what precedes the body are comments, each on one line, with hidden characters as escapes. */
export function requestText(request: SentRequest, view: RequestView, known: readonly string[] = []): string {
  const text = shownBody(request, known);
  const body = marked(text);
  if (view === 'body') return formatBody(body);
  const hidden = text.some((piece) => typeof piece !== 'string') ? [t('Known secrets in the body are marked; they were sent.')] : [];
  const about =
    view === 'sent' ? t('The body as it was sent:') : t('The body, formatted. Data in base64 with more than {0} characters is folded:', formatNumber(1_000));
  const head = [...requestLines(request), '', ...answerLines(request), '', ...tokenLines(request, body), '', ...hidden, about];
  return `${head.map((line) => `// ${escapeHidden(line)}`.trimEnd()).join('\n')}\n${view === 'sent' ? body : formatBody(body)}`;
}

function requestLines({ method, url, headers, allHeaders }: SentRequest): readonly string[] {
  const lines = headers.map(({ name, value }) => `${name}: ${marked(value)}`);
  const missing = allHeaders ? [] : [t('The headers that the connection adds are not known.')];
  return [`${method} ${marked(url)}`, ...lines, ...missing];
}

function answerLines(request: SentRequest): readonly string[] {
  const { sender, sentAt, size } = request;
  const session = sender.session === undefined ? [] : [t('Chat: {0}', sender.session)];
  return [
    t('Model: {0}', modelName(request)),
    ...(sender.reason === undefined ? [] : [sender.reason]),
    ...session,
    t('Sent: {0}', new Date(sentAt).toLocaleString(textLanguage())),
    t('Size of the body: {0} bytes', formatNumber(size)),
    t('Response: {0}', describeAnswer(request)),
  ];
}

/** The model as its name, for display. */
export function modelName({ sender: { provider, model } }: SentRequest): string {
  return model === '' ? provider : `${provider}/${model}`;
}

/** Response status of a request, for display. */
export function describeAnswer({ answer, end }: SentRequest): string {
  const status = answer === undefined ? [] : [t('status {0} after {1} s', answer.status, seconds(answer.afterMs))];
  return [...status, endOf(end)].join(', ');
}

function endOf(end: SentRequest['end']): string {
  switch (end?.outcome) {
    case undefined:
      return t('in progress');
    case 'complete':
      return t('complete after {0} s', seconds(end.afterMs));
    case 'stopped':
      return t('stopped after {0} s', seconds(end.afterMs));
    case 'failed':
      return t('failed after {0} s', seconds(end.afterMs));
  }
}

function seconds(ms: number): string {
  return formatNumber(ms / 1_000, 1);
}

/** All tokens that a model read for a request. */
export function inputTokens({ inputTokens: fresh, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return fresh + cacheReadTokens + cacheWriteTokens;
}

function tokenLines({ end }: SentRequest, body: string): readonly string[] {
  const parts = requestParts(body);
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const rows = [...parts.map(({ name, tokens }) => [formatNumber(tokens), name] as const)];
  const width = Math.max(0, ...rows.map(([tokens]) => tokens.length));
  return [
    ...usageLines(end?.usage),
    t('Tokens of the request, as Gnomon estimates them: {0}', formatNumber(total)),
    ...rows.map(([tokens, name]) => `  ${tokens.padStart(width)}  ${name}`),
  ];
}

function usageLines(usage: Usage | undefined): readonly string[] {
  if (usage === undefined) return [];
  const { cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  return [
    t(
      'Tokens as the server reports them: {0} in ({1} read from the cache, {2} written to it), {3} out',
      ...[inputTokens(usage), cacheReadTokens, cacheWriteTokens, outputTokens].map((tokens) => formatNumber(tokens)),
    ),
  ];
}

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

/** curl omits a header without a value, unless it ends with a semicolon. */
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
