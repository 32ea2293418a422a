import type { Memory } from '../../domain/host/memory.js';
import type { Log } from '../../domain/log.js';
import type { SandboxPort } from '../../domain/workspace/sandbox.js';
import type { Conversation } from './conversation.js';
import { noSandbox } from '../projection/notices.js';

/** Storage key of what the user was notified of. */
const TOLD = 'gnomon.sandbox.told';

/** State of the sandbox, and the memory of notices that were shown. */
export interface SandboxNews {
  readonly sandbox: Pick<SandboxPort, 'state'>;
  readonly memory: Memory;
  readonly log: Log;
}

/**
 * Says once, in the first conversation in which Gnomon works on a machine without a sandbox, what that means and how to get one.
 * @returns what to call when the conversation is closed.
 */
export function tellOfSandbox(conversation: Pick<Conversation, 'running' | 'notify' | 'view'>, news: SandboxNews): () => void {
  const stop = conversation.view.onFlush(() => {
    if (!conversation.running) return;
    stop();
    tell(conversation, news).catch((error: unknown) => news.log.error('Whether there is a sandbox could not be told', error));
  });
  return stop;
}

async function tell(conversation: Pick<Conversation, 'notify'>, { sandbox, memory }: SandboxNews): Promise<void> {
  const state = await sandbox.state();
  if (state.available || memory.get(TOLD) === state.reason) return;
  conversation.notify(noSandbox(state));
  await memory.update(TOLD, state.reason);
}
