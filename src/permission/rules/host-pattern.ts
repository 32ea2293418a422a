import type { RuleProblem } from './rule-labels.js';

/** Pattern of the hosts that a rule matches. */
export interface HostPattern {
  readonly host: string;
  /** Whether the hosts below `host` are meant, and not itself. */
  readonly below: boolean;
}

/** Reads `domain:example.com` or `domain:*.example.com`. */
export function parseHostPattern(text: string): HostPattern | RuleProblem {
  const how = { problem: 'For web pages write WebFetch(domain:example.com), or WebFetch(domain:*.example.com) for the hosts below it.' };
  const domain = /^domain:\s*(\*\.)?([^*]+)$/i.exec(text);
  const host = hostOf(`https://${domain?.[2] ?? ''}/`);
  if (domain === null || host === undefined || /[/:?#@\s]/.test(domain[2] ?? '/')) return how;
  return { host, below: domain[1] !== undefined };
}

/** The host of an address, in the spelling that hosts are compared in; `undefined` for what is no address. */
export function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const host = new URL(address).hostname.toLowerCase().replace(/\.$/, '');
  return host === '' ? undefined : host;
}

/** Whether a host is one that a pattern is about. */
export function hostFits({ host, below }: HostPattern, candidate: string): boolean {
  return below ? candidate.endsWith(`.${host}`) : candidate === host;
}
