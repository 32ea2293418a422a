import { present } from '../domain/present.js';
import type { HookDefinition } from '../domain/hook/definition.js';
import { CALL_GUARDS, type HookEventName } from '../domain/hook/event.js';
import type { HookDecision } from '../domain/hook/outcome.js';
import { t } from '../domain/l10n.js';
import { readDecision } from './decision-words.js';
import { inClaudesWords } from './foreign-answer.js';
import { type JsonObject, isObject } from './plain-json.js';

/** Fields of a hook's JSON output (code.claude.com/docs/en/hooks, "JSON output"). */
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
  /** Whether nothing in it is known: neither a word that decides nor anything else. */
  readonly isEmpty: boolean;
}

/** Fields that are texts, and those that are switches, at the top. */
const TEXTS = ['reason', 'stopReason', 'systemMessage'];
const SWITCHES = ['continue', 'suppressOutput'];
/** Where programs have the reason of a decision, at the top; a hook may use the form of another one than its file is for. */
const REASONS = ['permissionDecisionReason', 'reason', 'agent_message', 'agentMessage', 'user_message', 'userMessage', 'message', 'errorMessage'];
/** Names that programs use for replaced arguments of a call. */
const INPUTS = ['updatedInput', 'updated_input', 'modifiedArgs'];

/**
 * Reads what a hook printed. Fields that are not known are skipped, unless they may decide something; `null` counts as not there. What it
 * decides is read as it was printed, in the forms of all programs: a form that is not that of its file must not be passed over.
 * @returns a sentence about the first field that is wrong, if any
 */
export function readAnswer(printed: JsonObject, hook: Pick<HookDefinition, 'event' | 'dialect' | 'foreignEvent'>): AnswerFields | string {
  const { event } = hook;
  const json = inClaudesWords(printed, hook);
  const specific = json['hookSpecificOutput'] ?? {};
  if (!isObject(specific)) return wrong('hookSpecificOutput', 'an object');
  const problem = topProblem(json, printed) ?? specificProblem(specific, event);
  if (problem !== undefined) return problem;
  const own = readDecision(printed, event);
  if (typeof own === 'string') return own;
  // Some programs block by what is no word for it, such as Cursor’s `followup_message`.
  const translated = readDecision(json, event);
  const decided = typeof translated === 'string' || own.decision !== 'none' ? own : translated;
  const requested = isObject(specific['decision']) ? specific['decision'] : {};
  const input = CALL_GUARDS.has(event) ? [specific, requested, json].flatMap((each) => INPUTS.map((name) => each[name])).find(isObject) : undefined;
  const reason = firstText(requested['message'], specific['permissionDecisionReason'], ...REASONS.map((name) => json[name] ?? printed[name]));
  const texts = present({
    reason,
    context: firstText(specific['additionalContext']),
    message: firstText(json['systemMessage']),
    stopReason: firstText(json['stopReason']),
  });
  const isSilent = input === undefined && texts.context === undefined && texts.message === undefined && texts.stopReason === undefined;
  const hasWord = decided.hasWord || own.hasWord || SWITCHES.some((name) => typeof printed[name] === 'boolean');
  return { decision: decided.decision, stops: json['continue'] === false, ...present({ input }), ...texts, isEmpty: isSilent && !hasWord };
}

function topProblem(json: JsonObject, printed: JsonObject): string | undefined {
  const text = TEXTS.find((name) => isWrong(json[name], 'string'));
  if (text !== undefined) return wrong(text, 'a string');
  const flag = SWITCHES.find((name) => isWrong(json[name], 'boolean') || isWrong(printed[name], 'boolean'));
  if (flag !== undefined) return wrong(flag, 'true, false');
  const input = INPUTS.find((name) => isNoObject(json[name]));
  return input === undefined ? undefined : wrong(input, 'an object');
}

function specificProblem(specific: JsonObject, event: HookEventName): string | undefined {
  const name = specific['hookEventName'] ?? event;
  if (name !== event) return wrong('hookSpecificOutput.hookEventName', event);
  if (isWrong(specific['additionalContext'], 'string')) return wrong('hookSpecificOutput.additionalContext', 'a string');
  if (!CALL_GUARDS.has(event)) return undefined;
  if (isWrong(specific['permissionDecisionReason'], 'string')) return wrong('hookSpecificOutput.permissionDecisionReason', 'a string');
  const input = INPUTS.find((each) => isNoObject(specific[each]));
  if (input !== undefined) return wrong(`hookSpecificOutput.${input}`, 'an object');
  return requestProblem(specific['decision'] ?? {});
}

function requestProblem(decision: unknown): string | undefined {
  if (!isObject(decision)) return wrong('hookSpecificOutput.decision', 'an object');
  if (isWrong(decision['message'], 'string')) return wrong('hookSpecificOutput.decision.message', 'a string');
  return isNoObject(decision['updatedInput']) ? wrong('hookSpecificOutput.decision.updatedInput', 'an object') : undefined;
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

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}
