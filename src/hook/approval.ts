import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { HookDefinition } from '../domain/hook/definition.js';
import type { ApprovalKind } from '../domain/host/approvals.js';
import { listIn } from '../domain/host/memory.js';
import { canonicalText } from './plain-json.js';

/** That the user has approved a hook, as it was then. */
export interface HookApproval {
  /** Its file, its event, and what it runs: what is left of a hook when its options or its scripts change. */
  readonly command: string;
  /** Its file and its event: what is left when it runs something else. */
  readonly place: string;
  /** Readable text of what was approved: everything that decides what the hook does. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Version of the binding: absent for an approval of an earlier version, which covered fewer files. */
  readonly binding?: typeof BINDING;
}

/** Marks approvals that are bound to all that `bindingOfHook` names. */
const BINDING = 2 as const;

/** The text of a hook as it is now. */
export interface HookTexts {
  readonly text: string;
  /** Fingerprint that earlier versions would have used. */
  readonly earlier: string;
  /** Whether something is bound now that they did not look at, or is said that they did not say. */
  readonly adds: boolean;
}

/** Verdict of approvals on a hook as it is now. `before` is the version that was approved. */
export type HookStanding =
  /** With `adds`, an earlier version asked for it, which did not look at all that this one binds. */
  { readonly state: 'approved'; readonly adds?: true } | { readonly state: 'new' } | { readonly state: 'changed'; readonly before: string };

const approval = z.object({ command: z.string(), place: z.string(), text: z.string(), at: z.number(), binding: z.exactOptional(z.literal(BINDING)) });

/** Hooks, each as it was when it was approved. */
export const HOOK_APPROVALS: ApprovalKind<HookApproval> = {
  name: 'hook',
  most: 500,
  perWorkspace: false,
  read: (value) => approval.safeParse(value).data,
  subjectOf: ({ text }) => createHash('sha256').update(text).digest('hex'),
  earlier: (memory) => listIn(memory, 'gnomon.hookApprovals'),
};

/**
 * Whether an approval is for a hook as it is. One of an earlier version is for what that version looked at, and for no more than that: what it never saw is no
 * change.
 */
export function covers(approval: HookApproval, { text, earlier }: Pick<HookTexts, 'text' | 'earlier'>): boolean {
  return approval.text === (approval.binding === undefined ? earlier : text);
}

/**
 * Whether the user has approved a hook exactly as it is. It counts as changed only where an approved hook is not there any more as it
 * was: beside an approved one that is still there, it is new.
 * @param present the texts of all hooks that there are, of both kinds
 */
export function standingOf(
  hook: HookDefinition,
  texts: HookTexts,
  { approvals, present }: { readonly approvals: readonly HookApproval[]; readonly present: ReadonlySet<string> },
): HookStanding {
  const covering = approvals.filter((approval) => covers(approval, texts));
  if (covering.length > 0)
    return texts.adds && covering.every(({ binding }) => binding === undefined) ? { state: 'approved', adds: true } : { state: 'approved' };
  const gone = approvals.filter((approval) => !present.has(approval.text));
  const before = gone.find(({ command }) => command === commandOf(hook)) ?? gone.find(({ place }) => place === placeOf(hook));
  return before === undefined ? { state: 'new' } : { state: 'changed', before: before.text };
}

/** The approvals with another one. @param standing of the hook until now: what was approved in its place is forgotten */
export function withApproval(
  approvals: readonly HookApproval[],
  hook: HookDefinition,
  { texts, standing, at }: { readonly texts: HookTexts; readonly standing: HookStanding; readonly at: number },
): readonly HookApproval[] {
  const { text } = texts;
  const before = standing.state === 'changed' ? standing.before : text;
  const others = approvals.filter((approval) => approval.text !== text && approval.text !== before && !covers(approval, texts));
  return [{ command: commandOf(hook), place: placeOf(hook), text, at, binding: BINDING }, ...others];
}

/** The approvals, where one of an earlier version says all that there is to say, as if this one had asked: what changes from now on counts. */
export function adopted(approvals: readonly HookApproval[], { text, earlier, adds }: HookTexts): readonly HookApproval[] {
  return approvals.map((approval) =>
    !adds && approval.binding === undefined && approval.text === earlier ? { ...approval, text, binding: BINDING } : approval,
  );
}

/** The approvals without that of a hook. */
export function withoutApproval(approvals: readonly HookApproval[], texts: Pick<HookTexts, 'text' | 'earlier'>): readonly HookApproval[] {
  return approvals.filter((approval) => approval.text !== texts.text && !covers(approval, texts));
}

function commandOf({ event, origin, handler }: HookDefinition): string {
  return canonicalText([
    origin.file,
    event,
    handler.type === 'command' ? [handler.command, handler.args ?? null] : handler.type === 'http' ? handler.url : handler.id,
  ]);
}

function placeOf({ origin, event, foreignEvent }: HookDefinition): string {
  return canonicalText([origin.file, foreignEvent ?? event]);
}
