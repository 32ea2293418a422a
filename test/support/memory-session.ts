import type { Gate } from '../../src/domain/tool/permission.js';
import type { Tool } from '../../src/domain/tool/tool.js';
import type { SessionDeps } from '../../src/engine/agent-session.js';

/** What a session in memory is told; its provider and model are the caller's. */
export interface MemorySessionOptions {
  readonly systemPrompt: string;
  readonly tools: readonly Tool[];
  /** Allows everything unless given. */
  readonly gate?: Gate;
  readonly maxRounds?: number;
}

const ALLOW_ALL: Gate = {
  judge: () => Promise.resolve({ type: 'allow', reason: 'a test' }),
  remember: () => Promise.resolve(),
  update: () => Promise.resolve(),
};

/** Everything that a session needs beside its model, kept nowhere and logged nowhere. A failed request is not repeated. */
export function memorySession({ systemPrompt, tools, gate = ALLOW_ALL, maxRounds = 1000 }: MemorySessionOptions): Omit<SessionDeps, 'provider' | 'model'> {
  const now = new Date().toISOString();
  const nothing = (): Promise<void> => Promise.resolve();
  const session = { id: 'memory', systemPrompt, messages: [], createdAt: now, updatedAt: now };
  return {
    open: { session, meta: {}, warnings: [], recorder: { append: nothing, partial: nothing, updateMeta: nothing, fold: nothing, close: nothing } },
    tools,
    gate,
    clock: { timestamp: () => new Date().toISOString(), monotonic: () => performance.now() },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    mode: 'acceptEdits',
    maxRounds,
    maxRetries: 0,
    effort: 'medium',
  };
}
