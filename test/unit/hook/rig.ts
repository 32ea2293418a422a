import type { HookDefinition } from '../../../src/domain/hook/definition.js';
import type { HookEventName } from '../../../src/domain/hook/event.js';
import type { HookAnswer } from '../../../src/domain/hook/runner.js';
import { type HookResult, interpretAnswer } from '../../../src/hook/answer.js';

/** A hook of the user, unless something else is said. */
export function hookOf(event: HookEventName, over: Partial<HookDefinition> = {}): HookDefinition {
  return {
    event,
    handler: { type: 'command', command: './check.sh' },
    timeoutMs: 60_000,
    dialect: 'claude',
    origin: { layer: 'user', file: '/home/me/.claude/settings.json', display: '~/.claude/settings.json', line: 3 },
    ...over,
  };
}

/** A process that ended. */
export function exited(exitCode: number, stdout: string | Uint8Array = '', stderr = ''): HookAnswer {
  return { type: 'exited', exitCode, stdout: typeof stdout === 'string' ? new TextEncoder().encode(stdout) : stdout, stderr, durationMs: 5 };
}

/** What an answer means; long texts go to `/kept`. */
export function said(hook: HookDefinition, answer: HookAnswer): Promise<HookResult> {
  return interpretAnswer(hook, answer, () => Promise.resolve('/kept'));
}
