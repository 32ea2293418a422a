import type { HookEventName } from '../domain/hook/event.js';
import type { HookDecision } from '../domain/hook/outcome.js';
import { t } from '../domain/l10n.js';
import { type JsonObject, isObject } from './plain-json.js';

/** What a hook says by JSON (code.claude.com/docs/en/hooks, "JSON output"). */
export interface AnswerFields {
  readonly decision: HookDecision;
  readonly reason?: string;
  /** The arguments of the call in place of those it had, in the names of the program that the hook is for. */
  readonly input?: JsonObject;
  /** For the model. */
  readonly context?: string;
  /** For the user. */
  readonly message?: string;
  /** Whether the turn ends, and why as far as the hook says so. */
  readonly stops: boolean;
  readonly stopReason?: string;
}

/** Fields that are texts, and those that are switches, at the top. */
const TEXTS = ['reason', 'stopReason', 'systemMessage'];
const SWITCHES = ['continue', 'suppressOutput'];

/** Reads what a hook printed. Fields that are not known are skipped; `null` counts as not there. @returns a sentence about the first field that is wrong, if any */
export function readAnswer(json: JsonObject, event: HookEventName): AnswerFields | string {
  const specific = json['hookSpecificOutput'] ?? {};
  if (!isObject(specific)) return wrong('hookSpecificOutput', 'an object');
  const problem = topProblem(json) ?? specificProblem(specific, event);
  if (problem !== undefined) return problem;
  const requested = event === 'PermissionRequest' && isObject(specific['decision']) ? specific['decision'] : {};
  const input = specific['updatedInput'] ?? requested['updatedInput'];
  const given = { reason: textOf(requested['message'] ?? specific['permissionDecisionReason'] ?? json['reason']), context: textOf(specific['additionalContext']), message: textOf(json['systemMessage']), stopReason: textOf(json['stopReason']) };
  return {
    decision: decisionOf(json['decision'], specific['permissionDecision'] ?? requested['behavior'], event),
    stops: json['continue'] === false,
    ...(isObject(input) && (event === 'PreToolUse' || event === 'PermissionRequest') ? { input } : {}),
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as { readonly reason?: string; readonly context?: string; readonly message?: string; readonly stopReason?: string }),
  };
}

/** The stricter of the two fields by which a call can be decided; for other events, `approve` says nothing. */
function decisionOf(decision: unknown, permission: unknown, event: HookEventName): HookDecision {
  if (event !== 'PreToolUse' && event !== 'PermissionRequest') return decision === 'block' ? 'block' : 'none';
  if (decision === 'block' || permission === 'deny') return 'deny';
  // A call is deferred only where nobody can be asked; here there is a user.
  if (permission === 'ask' || permission === 'defer') return 'ask';
  return permission === 'allow' || decision === 'approve' ? 'allow' : 'none';
}

function topProblem(json: JsonObject): string | undefined {
  const text = TEXTS.find((name) => isWrong(json[name], 'string'));
  if (text !== undefined) return wrong(text, 'a string');
  const flag = SWITCHES.find((name) => isWrong(json[name], 'boolean'));
  if (flag !== undefined) return wrong(flag, 'true, false');
  return oneOf('decision', json['decision'], ['approve', 'block']);
}

function specificProblem(specific: JsonObject, event: HookEventName): string | undefined {
  const name = specific['hookEventName'] ?? event;
  if (name !== event) return wrong('hookSpecificOutput.hookEventName', event);
  if (isWrong(specific['additionalContext'], 'string')) return wrong('hookSpecificOutput.additionalContext', 'a string');
  if (event !== 'PreToolUse' && event !== 'PermissionRequest') return undefined;
  if (isWrong(specific['permissionDecisionReason'], 'string')) return wrong('hookSpecificOutput.permissionDecisionReason', 'a string');
  if (isNoObject(specific['updatedInput'])) return wrong('hookSpecificOutput.updatedInput', 'an object');
  const decided = oneOf('hookSpecificOutput.permissionDecision', specific['permissionDecision'], ['allow', 'deny', 'ask', 'defer']);
  return decided ?? (event === 'PermissionRequest' ? requestProblem(specific['decision'] ?? {}) : undefined);
}

function requestProblem(decision: unknown): string | undefined {
  if (!isObject(decision)) return wrong('hookSpecificOutput.decision', 'an object');
  if (isWrong(decision['message'], 'string')) return wrong('hookSpecificOutput.decision.message', 'a string');
  if (isNoObject(decision['updatedInput'])) return wrong('hookSpecificOutput.decision.updatedInput', 'an object');
  return oneOf('hookSpecificOutput.decision.behavior', decision['behavior'], ['allow', 'deny']);
}

function oneOf(name: string, value: unknown, values: readonly string[]): string | undefined {
  return value === undefined || value === null || values.some((each) => each === value) ? undefined : wrong(name, values.join(', '));
}

function isWrong(value: unknown, type: 'string' | 'boolean'): boolean {
  return value !== undefined && value !== null && typeof value !== type;
}

function isNoObject(value: unknown): boolean {
  return value !== undefined && value !== null && !isObject(value);
}

function wrong(name: string, expected: string): string {
  return t('It printed JSON with a field that is not right: {0}. Expected: {1}.', name, expected);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
