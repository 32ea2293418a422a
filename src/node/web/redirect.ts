import type { IncomingMessage } from 'node:http';
import { ToolInputError } from '../../domain/errors.js';
import { webAddress } from '../../domain/workspace/web-pages.js';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer redirects to; `undefined` when it does not. Only the host that was allowed is followed, with or
 * without `www.`; another is named, so that it can be asked for.
 * @param check throws for a host that may not be fetched from at all.
 * @throws ToolInputError for a redirect that is not followed.
 */
export function redirectTarget(from: URL, answer: IncomingMessage, check: (host: string) => void): URL | undefined {
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
