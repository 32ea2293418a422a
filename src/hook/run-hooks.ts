import { once } from '../concurrency/once.js';
import { errorMessage } from '../domain/errors.js';
import { type HookDefinition, failsClosed } from '../domain/hook/definition.js';
import type { HookEventName } from '../domain/hook/event.js';
import { type Hooks, NO_SCOPE } from '../domain/hook/hooks.js';
import { type HookOutcome, noHooks } from '../domain/hook/outcome.js';
import { t } from '../domain/l10n.js';
import type { HookTrial } from './hook-trial.js';
import type { Happening, HooksDeps } from './running-hooks.js';

/** {@link Hooks} of a window, which the user can try. */
export interface TriableHooks extends Hooks {
  /**
   * Runs one hook, which has to be one that may run, against what happened last at its event, and changes nothing because of what it says.
   * @returns `undefined` when nothing has happened at its event since the window was opened
   */
  tryOut(hook: HookDefinition, signal: AbortSignal): Promise<HookTrial | undefined>;
}

/** Makes what runs hooks. What each has matched, run, and said is in the outcome. */
export function createHooks(deps: HooksDeps): TriableHooks {
  // Most sessions have no hooks: what runs them is loaded with the first.
  const running = once(async () => new (await import('./running-hooks.js')).RunningHooks(deps));
  const latest = new Map<HookEventName, Happening>();
  return {
    tryOut: async (hook, signal) => {
      const happening = latest.get(hook.event);
      return happening && (await running()).tryOut(hook, happening, signal);
    },
    run: async (event, context, signal, { scope = NO_SCOPE, started } = {}) => {
      const name = event.hook_event_name;
      latest.set(name, { event, context });
      try {
        const registered = await deps.definitionsFor(name, scope);
        if (registered.length === 0) return noHooks(name);
        const allowing = scope.ofChat && (await deps.definitionsFor(name, scope.ofChat));
        return await (await running()).run(registered, { event, context, started, allowing }, signal);
      } catch (error) {
        deps.log?.error(`The hooks for ${name} could not be run`, error);
        return failed(name, errorMessage(error));
      }
    },
    applying: async (event, scope) => {
      try {
        const registered = await deps.definitionsFor(event.hook_event_name, scope);
        if (registered.length === 0) return JSON.stringify([]);
        const allowing = scope.ofChat && (await deps.definitionsFor(event.hook_event_name, scope.ofChat));
        const known = await running();
        return JSON.stringify([registered, allowing ?? []].map((hooks) => known.matching(hooks, event)));
      } catch (error) {
        // Running them says what is wrong, and blocks what they guard.
        return `unknown: ${errorMessage(error)}`;
      }
    },
  };
}

/** Where it is not known what the hooks say, a guard may be among them. */
function failed(event: HookEventName, reason: string): HookOutcome {
  const by = t('Hooks of {0}', event);
  const told = { ...noHooks(event), messages: [{ by, text: reason }] };
  return failsClosed({ event }) ? { ...told, block: { kind: 'unanswered', by, reason } } : told;
}
