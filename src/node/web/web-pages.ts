import { lookup } from 'node:dns/promises';
import * as http from 'node:http';
import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import { webAddress, type WebPage, type WebPages } from '../../domain/workspace/web-pages.js';
import { errorCode } from '../files/file-errors.js';
import { type AllowAddress, checkedLookup, checkHost, isPublicAddress, type Resolve } from './public-address.js';
import { decodedPage } from './page-encoding.js';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** Everything together, from the first connection to the last byte, in milliseconds. */
const TIME_LIMIT_MS = 20_000;
/** Size of a page after decompression, in bytes. */
const SIZE_LIMIT = 5 * 1024 * 1024;
/** Size of a PDF document, which is of no use without its end. */
const PDF_SIZE_LIMIT = 20 * 1024 * 1024;
const PDF_TYPE = 'application/pdf';
const MAX_REDIRECTS = 5;

/** What can be replaced. */
export interface WebPagesOptions {
  /** Left out: public addresses only. */
  readonly allow?: AllowAddress;
  /** Left out: as the system resolves names. */
  readonly resolve?: Resolve;
  readonly timeLimitMs?: number;
}

type Settings = Required<WebPagesOptions>;

/**
 * {@link WebPages} over Node's own http, which VS Code gives the user's proxy and certificates. Every address is
 * checked before a connection is made to it. Behind a proxy only what the host is written as can be checked, since the
 * proxy resolves names itself.
 */
export function createWebPages(options: WebPagesOptions = {}): WebPages {
  const resolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });
  const settings: Settings = { allow: isPublicAddress, resolve, timeLimitMs: TIME_LIMIT_MS, ...options };
  return {
    async get(text, signal) {
      signal.throwIfAborted();
      const limit = AbortSignal.timeout(settings.timeLimitMs);
      try {
        return await follow(webAddress(text), settings, AbortSignal.any([signal, limit]));
      } catch (error) {
        signal.throwIfAborted();
        if (limit.aborted) throw new ToolInputError(`The page did not come within ${settings.timeLimitMs / 1_000} seconds.`);
        throw problem(error);
      }
    },
  };
}

async function follow(start: URL, settings: Settings, signal: AbortSignal): Promise<WebPage> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await request(url, settings, signal);
    const target = redirectTarget(url, answer, (host) => checkHost(host, settings.allow));
    if (target === undefined) return pageOf(url, answer);
    answer.destroy();
    url = target;
  }
  throw new ToolInputError(`The page was redirected more than ${MAX_REDIRECTS} times.`);
}

async function request(url: URL, { allow, resolve }: Settings, signal: AbortSignal): Promise<IncomingMessage> {
  checkHost(url.hostname, allow);
  const send = url.protocol === 'https:' ? https.request : http.request;
  const headers = { Accept: 'text/html, text/markdown, text/plain, */*;q=0.5', 'Accept-Encoding': ENCODINGS, 'User-Agent': 'Gnomon' };
  return new Promise((done, fail) => {
    const sent = send(url, { headers, signal, agent: false, lookup: checkedLookup(url.hostname, resolve, allow) });
    sent.once('response', done);
    // Errors after the answer has begun are those of its body; they come out where that is read.
    sent.on('error', fail);
    sent.end();
  });
}

/** How much of a page is looked at for its kind. */
const SNIFFED_BYTES = 1_024;
const TEXT_TYPES = /^(text\/.+|application\/([\w.+-]+\+)?(json|xml|yaml|toml)|application\/(x-)?(javascript|ndjson|jsonl|yaml|sh|tex|csv|sql|graphql))$/;

/** Media type without parameters, in lower case; empty when there is none. */
function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The media type of an answer that does not say it, by its beginning. */
function sniffedType(bytes: Uint8Array): string {
  const isWide = isMarkedUtf16(bytes);
  if (!isWide && bytes.subarray(0, 8 * SNIFFED_BYTES).includes(0)) return 'application/octet-stream';
  const start = beginning(isWide ? bytes.subarray(2) : bytes)
    .replaceAll('\0', '')
    .replace(/^\xEF\xBB\xBF/, '');
  return /^\s*<(!doctype html|html|head|body)\b/i.test(start) ? 'text/html' : 'text/plain';
}

/** Whether a media type is one of text. */
function isText(type: string): boolean {
  return TEXT_TYPES.test(type);
}

function beginning(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
}

function isMarkedUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

async function pageOf(url: URL, answer: IncomingMessage): Promise<WebPage> {
  const header = answer.headers['content-type'];
  const named = mediaType(header);
  // Some servers of files name no type, so the name counts.
  const isPdf = named === PDF_TYPE || (['application/octet-stream', 'binary/octet-stream', ''].includes(named) && /\.pdf$/i.test(url.pathname));
  if (isPdf) return pdfOf(url, answer);
  if (named !== '' && !isText(named)) {
    answer.destroy();
    throw new ToolInputError(`The answer is ${named.slice(0, 100)}, not text. Only text and PDF documents can be fetched.`);
  }
  const { bytes, truncated } = await readBody(answer, SIZE_LIMIT);
  const contentType = named === '' ? sniffedType(bytes) : named;
  if (!isText(contentType)) throw new ToolInputError('The answer is not text. Only text and PDF documents can be fetched.');
  return { url: url.href, status: answer.statusCode ?? 0, contentType, ...decodedPage(bytes, header), truncated };
}

async function pdfOf(url: URL, answer: IncomingMessage): Promise<WebPage> {
  const { bytes, truncated } = await readBody(answer, PDF_SIZE_LIMIT);
  if (truncated) throw new ToolInputError(`The PDF document is larger than ${PDF_SIZE_LIMIT / 1024 / 1024} MB. Download it with a command, then use read.`);
  return { url: url.href, status: answer.statusCode ?? 0, contentType: PDF_TYPE, text: '', pdf: bytes, truncated };
}

/** Turns a network error into a message for the model. */
function problem(error: unknown): unknown {
  if (error instanceof ToolInputError || !(error instanceof Error)) return error;
  const code = errorCode(error);
  if (code === undefined) return error;
  const known: Readonly<Record<string, string>> = {
    ENOTFOUND: 'There is no such host.',
    ECONNREFUSED: 'The host refuses the connection.',
    ECONNRESET: 'The host broke the connection off.',
  };
  return new ToolInputError(known[code] ?? `The page could not be fetched: ${errorMessage(error)}`);
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer redirects to; `undefined` when it does not. Only the host that was allowed is followed, with or
 * without `www.`; another is named, so that it can be asked for.
 * @param check throws for a host that may not be fetched from at all.
 * @throws ToolInputError for a redirect that is not followed.
 */
function redirectTarget(from: URL, answer: IncomingMessage, check: (host: string) => void): URL | undefined {
  const { location } = answer.headers;
  if (!REDIRECTS.has(answer.statusCode ?? 0) || location === undefined) return undefined;
  answer.resume();
  if (!URL.canParse(location, from.href)) throw new ToolInputError('The page redirects to what is no address.');
  const to = webAddress(new URL(location, from.href).href);
  check(to.hostname);
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new ToolInputError('The page redirects from https: to http:, where anyone could change it on the way. It was not followed.');
  }
  if (!isSameSite(from, to)) throw new ToolInputError(`The page redirects to another host. To go on, fetch ${to.href}`);
  return to;
}

function isSameSite(from: URL, to: URL): boolean {
  const bare = (url: URL): string => url.hostname.replace(/^www\./, '').replace(/\.$/, '');
  return bare(from) === bare(to) && from.port === to.port;
}

/** Not in every version of Node that VS Code has come with. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };

/** Compressions that can be undone, as the header `Accept-Encoding` names them. */
const ENCODINGS = ['gzip', 'deflate', 'br', ...(createZstdDecompress === undefined ? [] : ['zstd'])].join(', ');

/**
 * The content of an answer, decompressed, up to a limit: what follows is neither decompressed nor waited for, so
 * that a small file that unpacks to an endless one does no harm.
 * @throws ToolInputError for a compression that is not known or is broken.
 */
async function readBody(answer: IncomingMessage, limit: number): Promise<{ readonly bytes: Buffer; readonly truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decompressed(answer, limit)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > limit) break;
    }
  } finally {
    answer.destroy();
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), truncated: size > limit };
}

function decompressed(answer: IncomingMessage, limit: number): AsyncIterable<unknown> {
  const coding = (answer.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return answer;
  const decoder = decoderFor(coding);
  if (decoder === undefined) throw new ToolInputError('The answer is compressed in a way that is not known here.');
  let received = 0;
  answer.on('data', (chunk: Buffer) => {
    received += chunk.length;
    // Input without output: no text needs more bytes packed than unpacked.
    if (received > limit * 2) answer.destroy(new ToolInputError('The answer is compressed in a way that makes no sense.'));
  });
  answer.on('error', (error) => decoder.destroy(error));
  return answer.pipe(decoder);
}

function decoderFor(coding: string): Transform | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return zlib.createUnzip();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress?.();
    default:
      return undefined;
  }
}
