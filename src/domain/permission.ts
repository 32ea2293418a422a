import type { Plan } from './tool.js';

/** How much the agent may do without asking (C15). `bypassPermissions` is known but not offered yet. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'ask', 'bypassPermissions'] as const;
/** One of {@link PERMISSION_MODES}. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** What permission is asked about: one planned call. */
export interface GateRequest {
  readonly sessionId: string;
  readonly callId: string;
  readonly mode: PermissionMode;
  readonly plan: Plan;
}

/**
 * What a plan may do. Every judgement says why, for the person and, when denied, for the model.
 * `grant` is what "Always allow" would allow in this session, in words; absent when that is not offered.
 */
export type Judgement =
  | { readonly type: 'allow'; readonly reason: string }
  | { readonly type: 'deny'; readonly reason: string }
  | { readonly type: 'ask'; readonly reasons: readonly string[]; readonly grant?: string };

/** Permission as the engine sees it. */
export interface Gate {
  /** Judges a plan; touches nothing. Failing to find out a fact counts as a reason to ask. */
  judge(request: GateRequest, signal: AbortSignal): Promise<Judgement>;
  /** Remembers "Always allow" for the rest of the session. */
  grant(request: GateRequest): void;
}

/** What the person answered. `feedback` is told to the model with a denial. */
export type ApprovalAnswer =
  | { readonly type: 'allow' }
  | { readonly type: 'always' }
  | { readonly type: 'deny'; readonly feedback?: string };
