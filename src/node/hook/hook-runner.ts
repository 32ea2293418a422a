import { errorMessage } from '../../domain/errors.js';
import type { HookAnswer, HookRunner, HookStart } from '../../domain/hook/runner.js';
import { HookProcess, type WithoutTime } from './hook-process.js';
import { postHook } from './hook-request.js';

/** The longest time that a timer of Node takes, in milliseconds; more would end at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Starts hooks on this machine: command lines in the user's shell, programs without one, and requests. */
export function createHookRunner(): HookRunner {
  const running = new Set<HookProcess>();
  const disposed = new AbortController();
  const answerTo = async (start: HookStart, signal: AbortSignal): Promise<WithoutTime<HookAnswer>> => {
    const { handler, input, timeoutMs } = start;
    if (signal.aborted) return { type: 'aborted' };
    if (handler.type === 'http') return postHook({ handler, input, timeoutMs }, signal);
    const hook = await HookProcess.start({ ...start, handler });
    running.add(hook);
    void hook.gone.then(() => running.delete(hook));
    return hook.run(input, timeoutMs, signal);
  };
  return {
    async run(start, signal) {
      const begun = performance.now();
      const timeoutMs = Math.min(Math.max(1, Math.floor(start.timeoutMs)), MAX_TIMEOUT_MS);
      const answer = await answerTo({ ...start, timeoutMs }, AbortSignal.any([signal, disposed.signal])).catch((error: unknown) => ({
        type: 'not_started' as const,
        why: errorMessage(error),
      }));
      return { ...answer, durationMs: performance.now() - begun };
    },
    dispose() {
      disposed.abort();
      for (const hook of running) void hook.kill();
    },
  };
}
