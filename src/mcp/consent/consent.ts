import type { McpToolInfo } from '../../domain/mcp/feature.js';
import { type ConsentKey, type EffectiveEntry, type EntryPart, ENTRY_PARTS } from './effective-entry.js';
import { type SeenTool, seenTool } from './tool-fingerprint.js';

/** Tools of one server that are remembered; those beyond them count as new. */
const MAX_TOOLS = 500;

/** That the user has approved an entry, and which tools of its server they have accepted. */
export interface McpConsent {
  readonly key: ConsentKey;
  readonly hash: string;
  readonly parts: Readonly<Record<string, string>>;
  /** The approved entry as readable text. */
  readonly text: string;
  /** The files that were approved along with it, and what they contained. */
  readonly files: readonly SeenFile[];
  /** Milliseconds since 1970. */
  readonly approvedAt: number;
  /** Accepted tools, including those that the server no longer has: a tool that comes back changed is detected. */
  readonly tools: readonly SeenTool[];
}

/** A file as it was approved. */
export interface SeenFile {
  /** Relative to its workspace folder. */
  readonly path: string;
  /** Of its bytes, in hex. */
  readonly sha256: string;
}

/** Verdict on an entry by the user's approvals. */
export type ConsentVerdict = 'approved' | 'new' | ConsentChange;

/** The approved entry and the current one, for a diff. */
export interface ConsentChange {
  /** The parts that differ, in the order in which they are shown. */
  readonly changed: readonly EntryPart[];
  /** Both sides of a comparison, for people. They differ. */
  readonly before: string;
  readonly after: string;
  /** The files that are other than they were, as they were. */
  readonly files: readonly SeenFile[];
}

/** Whether the user has approved an entry as it is now. */
export function judgeConsent(entry: EffectiveEntry, stored: McpConsent | undefined): ConsentVerdict {
  if (stored === undefined || !isSameKey(isEarlier(stored) ? entry.earlierKey : entry.key, stored.key)) return 'new';
  if ((isEarlier(stored) ? entry.earlierHash : entry.hash) === stored.hash) return 'approved';
  const changed = ENTRY_PARTS.filter((part) => entry.parts[part] !== stored.parts[part] && !(part === 'bound' && isEarlier(stored)));
  const files = stored.files.filter((seen) => !entry.files.some(({ path, sha256 }) => path === seen.path && sha256 === seen.sha256));
  if (entry.text !== stored.text) return { changed, before: stored.text, after: entry.text, files };
  // What differs is not in the text, or looks the same there.
  return { changed, before: `${stored.text}\nSHA-256 ${stored.hash}`, after: `${entry.text}\nSHA-256 ${entry.hash}`, files };
}

/**
 * The consent that an approval gives.
 * @param at milliseconds since 1970
 * @param before the consent to an earlier form of the entry: tools that were accepted stay so, for they have fingerprints of their own
 */
export function approve({ key, hash, parts, text, files }: EffectiveEntry, at: number, before?: McpConsent): McpConsent {
  const seen = files.flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [{ path, sha256 }]));
  return { key, hash, parts, text, files: seen, approvedAt: at, tools: before?.tools ?? [] };
}

/** A consent in which the tools as they are now are accepted. */
export function acceptTools(consent: McpConsent, tools: readonly McpToolInfo[]): McpConsent {
  const accepted = tools.map(seenTool);
  const names = new Set(accepted.map(({ name }) => name));
  return { ...consent, tools: [...accepted, ...consent.tools.filter(({ name }) => !names.has(name))].slice(0, MAX_TOOLS) };
}

/** The consent to an entry: one to this version, or one to an earlier version. */
export function consentTo({ key, earlierKey }: EffectiveEntry, get: (key: ConsentKey) => McpConsent | undefined): McpConsent | undefined {
  const now = get(key);
  const earlier = now ?? get(earlierKey);
  return now ?? (earlier !== undefined && isEarlier(earlier) ? earlier : undefined);
}

/** Whether a consent was given to an earlier version, which did not know all that this one binds: what it never saw is no change. */
export function isEarlier({ parts }: McpConsent): boolean {
  return parts['bound'] === undefined;
}

/** Whether two consents are for the same entry. */
export function isSameKey(a: ConsentKey, b: ConsentKey): boolean {
  return a.file === b.file && a.name === b.name && a.folder === b.folder;
}
