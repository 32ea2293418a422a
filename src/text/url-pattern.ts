import { present } from '../domain/present.js';
import { wildMatch } from './wildcards.js';

/** Parsed URL pattern. */
export interface UrlPattern {
  /** With colon; absent: `http:` and `https:`. */
  readonly protocol?: string;
  readonly host: Steps;
  /** Path and query. */
  readonly path: Steps;
}

/** Single characters, and `any` for any number of them. */
type Steps = readonly string[];

/** Characters of a pattern. */
const MAX_LENGTH = 1_000;
const USUAL_PORT: Readonly<Record<string, RegExp>> = { 'http:': /:80$/, 'https:': /:443$/ };

/**
 * Reads a pattern of addresses, such as `https://hooks.example.com/*` or `http://localhost:*`. `*` stands for any characters, in the host
 * only for such as a host can have: `https://*.example.com/*` is never for another host whose path contains that. Without a path, the
 * pattern is for the address without one; `*` alone is for all.
 * @returns `undefined` for anything else
 */
export function parseUrlPattern(text: string): UrlPattern | undefined {
  if (text === '*') return { host: ['any'], path: ['any'] };
  const [, scheme, host, path = '/'] = text.length > MAX_LENGTH ? [] : (/^(https?|\*):\/\/([^/?#@\\\s]+)(\/[^#\\\s]*)?$/i.exec(text) ?? []);
  if (scheme === undefined || host === undefined) return undefined;
  const protocol = scheme === '*' ? undefined : `${scheme.toLowerCase()}:`;
  const usual = protocol === undefined ? undefined : USUAL_PORT[protocol];
  const own = host.toLowerCase();
  return { ...present({ protocol }), host: stepsOf(usual === undefined ? own : own.replace(usual, '')), path: stepsOf(path) };
}

/** Whether a pattern is for an address. */
export function fitsUrl({ protocol, host, path }: UrlPattern, { protocol: scheme, host: server, pathname, search }: URL): boolean {
  const isWeb = scheme === 'http:' || scheme === 'https:';
  return isWeb && (protocol === undefined || protocol === scheme) && fits(host, server) && fits(path, `${pathname}${search}`);
}

function stepsOf(text: string): Steps {
  return text.split('').map((character) => (character === '*' ? 'any' : character));
}

function fits(steps: Steps, text: string): boolean {
  return wildMatch<string, string>(steps, text.split(''), (step, character) => step === character);
}
