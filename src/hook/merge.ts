import { present } from '../domain/present.js';
import { type HookDefinition, hookName } from '../domain/hook/definition.js';
import type { HookEventName } from '../domain/hook/event.js';
import type { HookOutcome } from '../domain/hook/outcome.js';
import type { HookResult } from './answer.js';
import { canonicalText } from './plain-json.js';

/** Result of a hook, with changed arguments in Gnomon’s names. */
export type MergedResult = Omit<HookResult, 'input' | 'notice'> & { readonly input?: unknown };

/**
 * Merges what the hooks of one event said, whichever of them ended first: deny over ask over allow, and of several of a kind the first in the
 * order of registration. Of two that change the arguments, the first is followed and the others are named. An allow counts
 * only from a hook that saw, or made itself, the arguments with which the call will run.
 * @param results in the order of registration
 * @param mayAllow whether a hook can allow something here
 */
export function mergeResults(event: HookEventName, results: readonly MergedResult[], mayAllow: (hook: HookDefinition) => boolean = () => true): HookOutcome {
  const block = results.find((result) => result.block !== undefined)?.block;
  const stop = results.find((result) => result.stop !== undefined);
  const outcome: HookOutcome = {
    event,
    runs: results.map(({ run }) => run),
    context: results.flatMap((result) => result.context.map((text) => ({ by: hookName(result.run.hook), text }))),
    messages: results.flatMap((result) => result.messages.map((text) => ({ by: hookName(result.run.hook), text }))),
    ...(stop?.stop === undefined ? {} : { stop: { by: hookName(stop.run.hook), reason: stop.stop } }),
  };
  if (block !== undefined) return { ...outcome, block };
  const rewritten = rewriteOf(results);
  const decided = { ...outcome, ...present({ rewritten }) };
  const ask = results.find(({ run }) => run.decision === 'ask');
  if (ask !== undefined) return { ...decided, ask: byOf(ask) };
  const allows = results.filter(({ run }) => run.decision === 'allow' && mayAllow(run.hook));
  const allow = allows.find(({ input }) => rewritten === undefined || isSame(input, rewritten.input));
  return allow === undefined ? decided : { ...decided, allow: byOf(allow) };
}

function rewriteOf(results: readonly MergedResult[]): HookOutcome['rewritten'] {
  const changed = results.filter(({ input }) => input !== undefined);
  const [first, ...others] = changed;
  if (first === undefined) return undefined;
  const conflicts = others.filter(({ input }) => !isSame(input, first.input)).map(({ run }) => hookName(run.hook));
  return { by: hookName(first.run.hook), input: first.input, conflicts };
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalText(a) === canonicalText(b);
}

function byOf({ run }: MergedResult): { readonly by: string; readonly reason: string } {
  return { by: hookName(run.hook), reason: run.reason ?? '' };
}
