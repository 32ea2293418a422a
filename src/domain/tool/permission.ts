import type { Confinement } from '../workspace/sandbox.js';
import type { JudgedDenial, RuleScope } from './denial.js';
import type { ModelUse } from './model-use.js';
import type { Amendment, Plan } from './tool.js';
import type { TurnGrant } from './turn-grant.js';

/** Permission modes: how much the agent may do without asking. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'ask', 'bypassPermissions'] as const;
/** One of {@link PERMISSION_MODES}. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** Effects of a rule on calls that it matches, strongest first. */
export const RULE_EFFECTS = ['deny', 'ask', 'allow'] as const;
/** One of {@link RULE_EFFECTS}. */
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/** A rule as it is written, such as `Bash(npm test:*)`. docs/permissions.md describes the syntax. */
export interface PermissionRule {
  readonly effect: RuleEffect;
  readonly text: string;
  readonly scope: RuleScope;
  /** Display name of its settings file, such as `.claude/settings.json`; absent for the settings of VS Code and for a session. */
  readonly file?: string;
  /** In place of the rules of a file that cannot be read: why, as a sentence that names the file. Its text is no rule then. */
  readonly missing?: string;
  /** For an allow rule of a {@link TurnGrant}, which ends with the turn: how users know the skill or command that it is from. */
  readonly turnOf?: string;
  /** For an approval of a model for an agent, which is kept with the approvals and in no settings. */
  readonly uses?: ModelUse;
}

/** A change of the rules of one effect in one scope. */
export interface RuleUpdate<Scope extends RuleScope = RuleScope> {
  /** `replaceRules` leaves no other rule with this effect in the scope. Rules that are not there are removed without an error. */
  readonly type: 'addRules' | 'replaceRules' | 'removeRules';
  readonly effect: RuleEffect;
  /** As they are written, such as `Bash(npm test:*)`. */
  readonly rules: readonly string[];
  readonly scope: Scope;
}

/**
 * Change of rules or mode that comes with an answer to a permission request, by the types of `PermissionUpdate` of the Claude Agent SDK
 * (0.3.332). Its `behavior` is the effect here, and its `destination` the scope.
 */
export type PermissionUpdate =
  | RuleUpdate
  /** Within the same limits as the user's own choice. */
  | { readonly type: 'setMode'; readonly mode: PermissionMode }
  /** Always refused: the folders of a session are fixed when it starts. */
  | { readonly type: 'addDirectories' | 'removeDirectories'; readonly directories: readonly string[] };

/** The rules of the user's and the workspace's settings. */
export interface RuleBook {
  /** The rules in effect. Rules that need a consent which was not given are left out. */
  rules(): readonly PermissionRule[];
  /** Resolves when all of them are known that there are at the start: nothing is decided before. Left out: they are known. */
  ready?(): Promise<void>;
  /**
   * Adds allow rules to the settings.
   * @throws Error when the settings cannot be written; its text says what to do.
   */
  add(rules: readonly string[], scope: Exclude<RuleScope, 'session'>): Promise<void>;
  /**
   * Changes rules of any effect in the settings of a scope. Those that the organization or the machine sets stay as they are.
   * @throws Error when a rule cannot be read, or the settings cannot be written; its text says what to do.
   */
  update(update: RuleUpdate<Exclude<RuleScope, 'session'>>): Promise<void>;
}

/** Risk of a part of a command line, shown to the user before they allow it. No decision depends on it. */
export interface CommandRisk {
  /** Index of the part, in order of the line; 0 for a single command. */
  readonly part: number;
  readonly level: 'caution' | 'danger';
  /** A phrase that continues "This command …", such as "downloads a script and runs it". */
  readonly text: string;
}

/** Permission request for one planned call. */
export interface GateRequest {
  readonly sessionId: string;
  readonly callId: string;
  readonly mode: PermissionMode;
  readonly plan: Plan;
  /** Opinion of hooks on the call, if one has an opinion and none blocks it. */
  readonly hook?: HookOpinion;
  /** Rules that skills and the command of the turn request. Absent for none. */
  readonly grants?: readonly TurnGrant[];
}

/** That a hook wants a call to be asked about, or to run without a question where nothing stands against it. */
export interface HookOpinion {
  readonly type: 'ask' | 'allow';
  /** Display name of the hook. */
  readonly by: string;
  readonly reason: string;
}

/** Permission decision for a plan, with its reasons and rules. */
export type Judgment =
  /** `readsOnly` when it is known that the call changes nothing, `confined` when it may run only in the sandbox. */
  | { readonly type: 'allow'; readonly reason: string; readonly readsOnly?: boolean; readonly confined?: Confinement }
  | { readonly type: 'deny'; readonly denial: JudgedDenial }
  | {
      readonly type: 'ask';
      readonly reasons: readonly string[];
      /** Whether the reasons say nothing that the call does not show itself: that no rule allows it, or that the mode asks. */
      readonly plain?: true;
      /** Whether more than a missing permission is behind it: a safety check, or a rule that asks. */
      readonly strict?: boolean;
      /** The rules that "Always allow" would add, as written; absent when no rule could let the call pass. */
      readonly proposal?: readonly string[];
      /** Present where the proposal is no rule but an approval of a model for an agent: it binds to both, to what the agent’s file says, and to the project. */
      readonly uses?: ModelUse;
      /** The same for all of the folder in which a file outside of the workspace lies; absent for other calls. */
      readonly wider?: readonly string[];
      /**
       * Sentences about where it works, for a call in a worktree: that is not where the user would look, and rules that allow it apply to both. Before them,
       * what a program makes the call for.
       */
      readonly place?: string;
      /** Sandbox limits when it is allowed; absent: outside of the sandbox. */
      readonly confined?: Confinement;
      /** Every single command that a command line runs, as written; absent for other calls and for a single one. */
      readonly parts?: readonly string[];
      /** Risks of its parts, the worst of each; absent for none. */
      readonly risks?: readonly CommandRisk[];
    };

/** Permission as the engine sees it. */
export interface Gate {
  /** Judges a plan; touches nothing. Failing to find out a fact counts as a reason to ask. */
  judge(request: GateRequest, signal: AbortSignal): Promise<Judgment>;
  /**
   * Adds allow rules that the user chose, also beyond those that were proposed.
   * @throws Error when a rule cannot be read or kept; nothing is added then.
   */
  remember(request: GateRequest, rules: readonly string[], scope: RuleScope): Promise<void>;
  /**
   * Changes rules as an answer says, in its order; those of the session last.
   * @throws Error when a rule cannot be read, and nothing is changed then; or when settings cannot be written: what was written before stays.
   */
  update(request: GateRequest, updates: readonly RuleUpdate[]): Promise<void>;
}

/**
 * The user's answer to a permission request. `feedback` is sent to the model with a denial; an amended call is judged again. `updates` are made once it is
 * settled that the call runs, and before it does: one that forbids the call still denies it.
 */
export type ApprovalAnswer =
  /** Not an answer yet: the call is planned and judged as the user changed it, and the prompt shows that. */
  | { readonly type: 'revise'; readonly amendment: Amendment }
  | { readonly type: 'allow'; readonly amendment?: Amendment; readonly updates?: readonly PermissionUpdate[] }
  | { readonly type: 'always'; readonly rules: readonly string[]; readonly scope: RuleScope }
  | { readonly type: 'deny'; readonly feedback?: string };

/** Parses a mode from a setting, a session or a panel. Returns `undefined` when it is invalid: a typing error must not choose a mode. */
export function parsePermissionMode(value: unknown): PermissionMode | undefined {
  return PERMISSION_MODES.find((mode) => mode === value);
}
