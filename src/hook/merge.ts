import { hookName } from '../domain/hook/definition.js';
import type { HookEventName } from '../domain/hook/event.js';
import type { HookDecision, HookOutcome, HookRun } from '../domain/hook/outcome.js';
import { t } from '../domain/l10n.js';
import type { SaidByHook } from './answer.js';

const BLOCKS: ReadonlySet<HookDecision> = new Set(['deny', 'block']);

/**
 * Merges what the hooks of one event said, in the order in which they are registered: any that blocks wins, then any that asks, then
 * any that allows. Of several that change the input the first is followed, and the others are named.
 */
export function merge(event: HookEventName, said: readonly SaidByHook[]): HookOutcome {
  const runs = said.map(({ run }) => run);
  const blocking = runs.find(({ decision }) => BLOCKS.has(decision));
  const asking = runs.find(({ decision }) => decision === 'ask');
  const allowing = runs.find(({ decision }) => decision === 'allow');
  const stopping = said.find(({ stop }) => stop !== undefined);
  return {
    event,
    runs,
    context: said.flatMap(({ run, context }) => (context === undefined ? [] : [{ by: hookName(run.hook), text: context }])),
    messages: said.flatMap(({ run, message }) => (message === undefined ? [] : [{ by: hookName(run.hook), text: message }])),
    ...(blocking === undefined ? {} : { block: { kind: blocking.end === 'answered' ? ('denied' as const) : ('unanswered' as const), ...reasonOf(blocking) } }),
    ...(asking === undefined || blocking !== undefined ? {} : { ask: reasonOf(asking) }),
    ...(allowing === undefined || blocking !== undefined || asking !== undefined ? {} : { allow: reasonOf(allowing) }),
    ...rewriting(said),
    ...(stopping?.stop === undefined ? {} : { stop: { by: hookName(stopping.run.hook), reason: stopping.stop } }),
  };
}

function rewriting(said: readonly SaidByHook[]): Pick<HookOutcome, 'rewritten'> {
  const changes = said.flatMap(({ run, rewritten }) => (rewritten === undefined ? [] : [{ by: hookName(run.hook), input: rewritten.input }]));
  const [first, ...others] = changes;
  if (first === undefined) return {};
  const same = JSON.stringify(first.input);
  return { rewritten: { ...first, conflicts: others.filter(({ input }) => JSON.stringify(input) !== same).map(({ by }) => by) } };
}

function reasonOf({ hook, reason }: HookRun): { readonly by: string; readonly reason: string } {
  return { by: hookName(hook), reason: reason ?? t('It gave no reason.') };
}
