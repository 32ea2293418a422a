import type { HookDefinition } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import type { HookTrial } from '../../hook/hook-trial.js';
import type { RegisteredHooks } from './hooks.js';

/** Runs a hook against what happened last at its event. */
export type TryOut = (hook: HookDefinition, signal: AbortSignal) => Promise<HookTrial | undefined>;

/**
 * Tries a hook that may run.
 * @throws Error for the user where it may not, or where nothing has happened at its event
 */
export async function tryHook(
  hook: HookDefinition,
  { hooks, tryOut }: { readonly hooks: Pick<RegisteredHooks, 'mayRun'>; readonly tryOut: TryOut },
  signal: AbortSignal,
): Promise<HookTrial> {
  // Its scripts are looked at as before every run.
  if (!(await hooks.mayRun(hook))) throw new Error(t('The hook has just changed. Look at it again before you run it.'));
  const trial = await tryOut(hook, signal);
  if (trial === undefined)
    throw new Error(t('Nothing has happened at the event {0} in this window yet. Have it happen once in a chat, and try again.', hook.event));
  return trial;
}
