import type { HookDefinition } from '../domain/hook/definition.js';
import { hookKey } from './identity.js';

/** That the user has approved a hook, as it was then. */
export interface HookApproval {
  /** What stays the same when the hook is edited; see {@link hookKey}. */
  readonly key: string;
  /** Where it is: file and event. A hook of the same place whose command has changed is one after an edit. */
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

/** Whether the user has approved a hook exactly as it is. */
export function standingOf(hook: HookDefinition, text: string, approvals: readonly HookApproval[]): HookStanding {
  if (approvals.some((approval) => approval.text === text)) return { state: 'approved' };
  const key = hookKey(hook);
  const before = approvals.find((approval) => approval.key === key) ?? approvals.find(({ place }) => place === placeOf(hook));
  return before === undefined ? { state: 'new' } : { state: 'changed', before: before.text };
}

/** The approvals with another one, in place of that of the same hook. */
export function withApproval(approvals: readonly HookApproval[], hook: HookDefinition, text: string, at: number): readonly HookApproval[] {
  const key = hookKey(hook);
  return [{ key, place: placeOf(hook), text, at }, ...approvals.filter((approval) => approval.key !== key)].slice(0, MAX_APPROVALS);
}

/** The approvals without that of a hook. */
export function withoutApproval(approvals: readonly HookApproval[], hook: HookDefinition, text: string): readonly HookApproval[] {
  const key = hookKey(hook);
  return approvals.filter((approval) => approval.key !== key && approval.text !== text);
}

/** The approvals in a value that was kept; what does not look like one is left out, so that it is asked for again. */
export function parseApprovals(value: unknown): readonly HookApproval[] {
  return Array.isArray(value) ? value.filter(isApproval) : [];
}

function isApproval(value: unknown): value is HookApproval {
  if (typeof value !== 'object' || value === null) return false;
  const { key, place, text, at } = value as Readonly<Record<string, unknown>>;
  return [key, place, text].every((each) => typeof each === 'string') && typeof at === 'number';
}

function placeOf({ origin, event, foreignEvent }: HookDefinition): string {
  return JSON.stringify([origin.file, foreignEvent ?? event]);
}
