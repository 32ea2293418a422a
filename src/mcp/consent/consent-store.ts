import * as z from 'zod/mini';
import type { ApprovalKind } from '../../domain/host/approvals.js';
import { listIn } from '../../domain/host/memory.js';
import { type McpConsent, approve, consentTo, isEarlier, isSameKey } from './consent.js';
import type { ConsentKey, EffectiveEntry } from './effective-entry.js';

const consent = z.object({
  key: z.object({ file: z.string(), name: z.string(), folder: z.exactOptional(z.string()) }),
  hash: z.string(),
  parts: z.record(z.string(), z.string()),
  text: z.string(),
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
  approvedAt: z.number(),
  tools: z.array(z.object({ name: z.string(), fingerprint: z.string(), text: z.string() })),
});

/** MCP servers, each as it was when it was approved, with the tools that were accepted. */
export const MCP_CONSENTS: ApprovalKind<McpConsent> = {
  name: 'server',
  most: 200,
  perWorkspace: false,
  read: (value) => consent.safeParse(value).data,
  subjectOf: ({ key: { file, name, folder } }) => JSON.stringify([file, name, ...(folder === undefined ? [] : [folder])]),
  earlier: (memory) => listIn(memory, 'gnomon.mcp.consents'),
};

/** The consent for a key. */
export function consentFor(all: readonly McpConsent[], key: ConsentKey): McpConsent | undefined {
  return all.find((consent) => isSameKey(consent.key, key));
}

/** The consents with one to an entry, in place of what was approved of it before. @param at milliseconds since 1970 */
export function withConsent(all: readonly McpConsent[], entry: EffectiveEntry, at: number): readonly McpConsent[] {
  const before = consentTo(entry, (key) => consentFor(all, key));
  const others = all.filter(({ key }) => !isSameKey(key, entry.key) && !(before !== undefined && isEarlier(before) && isSameKey(key, before.key)));
  return [approve(entry, at, before), ...others].sort((a, b) => b.approvedAt - a.approvedAt);
}
