import * as z from 'zod/mini';
import { PERMISSION_MODES, type PermissionMode, RULE_EFFECTS, type RuleEffect } from '../../domain/tool/permission.js';
import { InvalidInputError, MessageParseError } from './errors.js';
import { isObject } from './json-lines.js';
import type { JsonObject } from './parse-message.js';
import { problemOf } from './problem.js';

/** A rule: `{toolName: 'Bash', ruleContent: 'npm test:*'}` is `Bash(npm test:*)`. */
export interface RuleValue {
  readonly toolName: string;
  readonly ruleContent?: string;
}

/** Where a change of rules is kept: in the settings of the user, of the project, of the project for this user alone, or nowhere. */
export type RuleDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session';

/** What an answer changes beside the call. */
export type PermissionUpdate =
  | {
      readonly type: 'addRules' | 'replaceRules' | 'removeRules';
      readonly behavior: RuleEffect;
      readonly rules: readonly RuleValue[];
      readonly destination: RuleDestination;
    }
  | { readonly type: 'setMode'; readonly mode: PermissionMode; readonly destination: RuleDestination };

/** What goes with a question for permission. */
export interface PermissionContext {
  /** Aborts when no answer is needed any more: the turn was stopped, or the program has ended. */
  readonly signal: AbortSignal;
  /** Names the call in messages. */
  readonly toolUseId: string;
  /** Why permission is needed, and what is risky about the call: sentences. */
  readonly reason: string;
  /** What would be changed, as a text. Only for calls whose arguments do not say it, such as taking over what an agent has changed in its worktree. */
  readonly description?: string;
  /** What `updatedPermissions` could be so that the like is not asked about again; empty where no rule could do that. */
  readonly suggestions: readonly PermissionUpdate[];
}

/** The answer to a question for permission. */
export type PermissionResult =
  | {
      readonly behavior: 'allow';
      /** Arguments in place of those of the model. The call is judged again with them, and can be asked about again. */
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      readonly updatedPermissions?: readonly PermissionUpdate[];
    }
  | {
      readonly behavior: 'deny';
      /** What the model is told. */
      readonly message: string;
      /** Whether the turn is stopped. */
      readonly interrupt?: boolean;
    };

/**
 * Decides about a call that needs permission, without a limit of time. A question of the model comes as the tool `AskUserQuestion` with
 * `{questions: [{question, options, multiSelect}]}`; allow it with `updatedInput: {...input, answers: {[question]: answer}}`.
 * A rejection denies the call, with its message for the model.
 * @param toolName as Claude Code names tools, such as `Bash`
 */
export type CanUseTool = (toolName: string, input: Readonly<Record<string, unknown>>, context: PermissionContext) => Promise<PermissionResult>;

const open = z.record(z.string(), z.unknown());
const destination = z.enum(['userSettings', 'projectSettings', 'localSettings', 'session']);
const update: z.ZodMiniType<PermissionUpdate> = z.union([
  z.strictObject({
    type: z.enum(['addRules', 'replaceRules', 'removeRules']),
    behavior: z.enum(RULE_EFFECTS),
    rules: z.array(z.strictObject({ toolName: z.string(), ruleContent: z.exactOptional(z.string()) })),
    destination,
  }),
  z.strictObject({ type: z.literal('setMode'), mode: z.enum(PERMISSION_MODES), destination }),
]);
const answer: z.ZodMiniType<PermissionResult> = z.discriminatedUnion('behavior', [
  z.strictObject({ behavior: z.literal('allow'), updatedInput: z.exactOptional(open), updatedPermissions: z.exactOptional(z.array(update)) }),
  z.strictObject({ behavior: z.literal('deny'), message: z.string(), interrupt: z.exactOptional(z.boolean()) }),
]);
const request = z.looseObject({
  tool_name: z.string(),
  input: open,
  tool_use_id: z.string(),
  decision_reason: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  permission_suggestions: z.exactOptional(z.array(z.unknown())),
});

/**
 * Asks about a call.
 * @param body the request `can_use_tool`
 * @returns the answer as the wire has it
 * @throws MessageParseError for what is no such request, InvalidInputError for what is no answer, and what the callback throws
 */
export async function askPermission(canUseTool: CanUseTool, body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  const asked = z.safeParse(request, body);
  if (!asked.success)
    throw new MessageParseError('Gnomon’s program asks for permission in a way that cannot be read.', body, problemOf(asked.error.issues).path);
  const { tool_name, input, tool_use_id, decision_reason = '', description, permission_suggestions = [] } = asked.data;
  // One that this version does not know is none that a program could send back.
  const suggestions = permission_suggestions.flatMap((each) => z.safeParse(update, each).data ?? []);
  const context = { signal, toolUseId: tool_use_id, reason: decision_reason, suggestions, ...(description === undefined ? {} : { description }) };
  const given: unknown = await canUseTool(tool_name, input, context);
  const { data, error } = z.safeParse(answer, given);
  if (data === undefined) throw new InvalidInputError(`canUseTool gave no answer that can be used, so the call is denied: ${problemOf(error.issues).problem}.`);
  if (data.behavior === 'deny' || isObject(data.updatedInput)) return { ...data };
  return { ...data, updatedInput: input };
}
