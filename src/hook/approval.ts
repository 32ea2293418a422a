import type { HookDefinition } from '../domain/hook/definition.js';
import { canonicalText } from './plain-json.js';

/** That the user has approved a hook, as it was then. */
export interface HookApproval {
  /** Its file, its event, and what it runs: what is left of a hook when its options or its scripts change. */
  readonly command: string;
  /** Its file and its event: what is left when it runs something else. */
  readonly place: string;
  /** What was approved, for people: all that decides what the hook does. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What an approval says of a hook as it is now. `before` is what was approved in its place. */
export type HookStanding = { readonly state: 'approved' } | { readonly state: 'new' } | { readonly state: 'changed'; readonly before: string };

/** Approvals that are kept. When there are more, those that were given longest ago are asked for again. */
const MAX_APPROVALS = 500;

/**
 * Whether the user has approved a hook exactly as it is. It counts as changed only where an approved hook is not there any more as it
 * was: beside an approved one that is still there, it is new.
 * @param text of the hook, see `hookText`
 * @param present the texts of all hooks that there are
 */
export function standingOf(hook: HookDefinition, text: string, { approvals, present }: { readonly approvals: readonly HookApproval[]; readonly present: ReadonlySet<string> }): HookStanding {
  if (approvals.some((approval) => approval.text === text)) return { state: 'approved' };
  const gone = approvals.filter((approval) => !present.has(approval.text));
  const before = gone.find(({ command }) => command === commandOf(hook)) ?? gone.find(({ place }) => place === placeOf(hook));
  return before === undefined ? { state: 'new' } : { state: 'changed', before: before.text };
}

/** The approvals with another one. @param standing of the hook until now: what was approved in its place is forgotten */
export function withApproval(approvals: readonly HookApproval[], hook: HookDefinition, { text, standing, at }: { readonly text: string; readonly standing: HookStanding; readonly at: number }): readonly HookApproval[] {
  const before = standing.state === 'changed' ? standing.before : text;
  const others = approvals.filter((approval) => approval.text !== text && approval.text !== before);
  return [{ command: commandOf(hook), place: placeOf(hook), text, at }, ...others].slice(0, MAX_APPROVALS);
}

/** The approvals without that of a hook. */
export function withoutApproval(approvals: readonly HookApproval[], text: string): readonly HookApproval[] {
  return approvals.filter((approval) => approval.text !== text);
}

/** The approvals in a value that was kept; what does not look like one is left out, so that it is asked for again. */
export function parseApprovals(value: unknown): readonly HookApproval[] {
  return Array.isArray(value) ? value.filter(isApproval) : [];
}

function isApproval(value: unknown): value is HookApproval {
  if (typeof value !== 'object' || value === null) return false;
  const { command, place, text, at } = value as Readonly<Record<string, unknown>>;
  return [command, place, text].every((each) => typeof each === 'string') && typeof at === 'number';
}

function commandOf({ event, origin, handler }: HookDefinition): string {
  return canonicalText([origin.file, event, handler.type === 'command' ? [handler.command, handler.args ?? null] : handler.url]);
}

function placeOf({ origin, event, foreignEvent }: HookDefinition): string {
  return canonicalText([origin.file, foreignEvent ?? event]);
}
