import { errorMessage } from '../../domain/errors.js';
import type { HookAnswer, HookRunner, HookStart } from '../../domain/hook/runner.js';
import { HookProcess } from './hook-process.js';
import { postHook } from './hook-request.js';

/** Starts hooks on this machine: command lines in the user's shell, programs without one, and requests. */
export function createHookRunner(): HookRunner {
  const running = new Set<HookProcess>();
  const runProcess = async (start: HookStart, signal: AbortSignal): Promise<HookAnswer> => {
    const { handler } = start;
    if (handler.type === 'http') return postHook({ ...start, handler }, signal);
    const begun = performance.now();
    const took = (): { readonly durationMs: number } => ({ durationMs: performance.now() - begun });
    if (signal.aborted) return { type: 'aborted', ...took() };
    try {
      const hook = await HookProcess.start({ ...start, handler });
      running.add(hook);
      void hook.gone.then(() => running.delete(hook));
      const end = await hook.run(start.input, start.timeoutMs, signal);
      return { ...end, ...took() };
    } catch (error) {
      return { type: 'not_started', why: errorMessage(error), ...took() };
    }
  };
  return {
    run: runProcess,
    dispose() {
      for (const hook of running) void hook.kill();
    },
  };
}
