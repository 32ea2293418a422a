import type { ToolContext } from '../../../src/domain/tool/tool.js';

/** A context for one call that keeps its live output in `chunks`. */
export function toolContext(overrides: Partial<ToolContext> = {}): ToolContext & { readonly chunks: readonly string[] } {
  const chunks: string[] = [];
  return { signal: new AbortController().signal, sessionId: 'session', callId: 'call', output: (chunk) => void chunks.push(chunk), ...overrides, chunks };
}
