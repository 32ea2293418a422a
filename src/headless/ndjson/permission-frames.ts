import { isDeepStrictEqual } from 'node:util';
import type { AskedPermission, AskedQuestion } from '../../domain/tool/asks.js';
import type { RuleScope } from '../../domain/tool/denial.js';
import type { QuestionAnswer } from '../../domain/tool/interaction.js';
import { type ApprovalAnswer, parsePermissionMode, type PermissionUpdate, RULE_EFFECTS } from '../../domain/tool/permission.js';
import { present } from '../../domain/present.js';
import { calledTool, toForeign, toGnomon } from '../../hook/foreign-names.js';
import type { NamedCall } from '../../hook/foreign-shapes.js';
import { askedLines } from '../ask-on-terminal.js';
import { type ControlBody, objectIn } from './control.js';

/** What is asked for a call: `can_use_tool` of the Agent SDK protocol. @param cwd absolute; for relative paths in the call */
export function permissionRequest(ask: AskedPermission, cwd: string): ControlBody {
  const { callId, judgment, plan, problem, who } = ask;
  const { name, input } = toForeign(callNow(ask), 'claude', cwd);
  const place = judgment.place === undefined ? [] : [judgment.place];
  const reasons = [...(problem === undefined ? [] : [problem]), ...judgment.reasons, ...(judgment.risks ?? []).map(({ text }) => `It ${text}.`), ...place];
  const { proposal = [], uses } = judgment;
  // An approval that binds to an agent and its model is kept for the project, whatever the answer says.
  const destination = uses === undefined ? 'session' : 'localSettings';
  return {
    subtype: 'can_use_tool',
    tool_name: name,
    input: objectIn(input),
    tool_use_id: callId,
    // What another one has changed is in no argument.
    ...(plan.madeBy !== undefined ? { description: askedLines(ask, (_, text) => text, cwd).what.join('\n') } : {}),
    ...(who.worksFor === undefined ? {} : { agent_id: who.session, title: `${who.worksFor.agent}: ${who.worksFor.task}` }),
    decision_reason: reasons.join(' '),
    decision_reason_type: judgment.strict === true ? 'safetyCheck' : 'other',
    permission_suggestions: proposal.length === 0 ? [] : [{ type: 'addRules', rules: proposal.map(ruleOnWire), behavior: 'allow', destination }],
  };
}

/**
 * The answer to it.
 * @returns also whether the turn is to be stopped
 * @throws Error for one that cannot be read; the call is denied then
 */
export function permissionAnswer(body: ControlBody, ask: AskedPermission, cwd: string): { readonly answer: ApprovalAnswer; readonly interrupts: boolean } {
  if (body['behavior'] === 'deny') {
    const said = body['message'];
    return { answer: { type: 'deny', ...(typeof said === 'string' && said.trim() !== '' ? { feedback: said } : {}) }, interrupts: body['interrupt'] === true };
  }
  if (body['behavior'] !== 'allow') throw new Error(`The answer to can_use_tool has the behavior “${String(body['behavior'])}”, and not “allow” or “deny”.`);
  const now = callNow(ask);
  const foreign = toForeign(now, 'claude', cwd);
  const given = body['updatedInput'] ?? undefined;
  // To run what was to be changed as it was would be more than is allowed.
  if (given !== undefined && (typeof given !== 'object' || Array.isArray(given)))
    throw new Error('The answer to can_use_tool has an updatedInput that is no object.');
  // SDKs give back what they were sent, where fields without a value are not there.
  const sent: unknown = JSON.parse(JSON.stringify(foreign.input));
  const isChanged = given !== undefined && !isDeepStrictEqual(given, sent) && Object.keys(given).length > 0;
  const updated = body['updatedPermissions'] ?? [];
  if (!Array.isArray(updated)) throw new Error('The answer to can_use_tool has updatedPermissions that are no list.');
  const updates = updated.map((each) => updateFrom(objectIn(each)));
  return {
    answer: {
      type: 'allow',
      ...(isChanged ? { amendment: { type: 'input', input: toGnomon(given, now, 'claude') } } : {}),
      ...(updates.length === 0 ? {} : { updates }),
    },
    interrupts: false,
  };
}

/** The call as it would run: as the model made it, or as an answer or a hook has left it. */
function callNow({ call, plan, changed, rewrittenBy }: AskedPermission): NamedCall {
  if (changed !== true && rewrittenBy === undefined) return call;
  const isDirect = calledTool(call) === call;
  return isDirect ? { name: plan.tool, input: plan.args } : { name: call.name, input: { name: plan.tool, arguments: plan.args } };
}

/** A question of the model, as Claude Code asks it: by its tool for that. */
export function questionRequest({ callId, question }: AskedQuestion): ControlBody {
  const { question: text, choices, multiple } = question;
  const options = choices.map((label) => ({ label, description: '' }));
  return {
    subtype: 'can_use_tool',
    tool_name: 'AskUserQuestion',
    tool_use_id: callId,
    input: { questions: [{ question: text, header: '', options, multiSelect: multiple }] },
  };
}

/** The answer to it: what was chosen, or written, under the question; anything else is none. */
export function questionAnswer(body: ControlBody, { question }: AskedQuestion): QuestionAnswer {
  const answer = objectIn(objectIn(body['updatedInput'])['answers'])[question.question];
  if (body['behavior'] !== 'allow' || typeof answer !== 'string' || answer.trim() === '') return { type: 'dismissed' };
  const chosen = question.choices.filter((choice) => choice === answer || (question.multiple && answer.split(', ').includes(choice)));
  return chosen.length > 0 ? { type: 'answered', choices: chosen } : { type: 'answered', choices: [], text: answer };
}

/** `Bash(npm test:*)` as the wire has it. */
function ruleOnWire(rule: string): ControlBody {
  const [, toolName = rule, ruleContent] = /^([^(]+)\(([^]*)\)$/.exec(rule) ?? [];
  return { toolName, ...present({ ruleContent }) };
}

const SCOPES: Readonly<Record<string, RuleScope>> = {
  userSettings: 'user',
  projectSettings: 'workspace',
  localSettings: 'local',
  session: 'session',
  cliArg: 'session',
};

function updateFrom(update: ControlBody): PermissionUpdate {
  const { type, destination } = update;
  const scope = typeof destination === 'string' && Object.hasOwn(SCOPES, destination) ? SCOPES[destination] : undefined;
  switch (type) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules': {
      const effect = RULE_EFFECTS.find((each) => each === update['behavior']);
      if (effect === undefined || scope === undefined || !Array.isArray(update['rules']))
        throw new Error(`A permission update of the type ${type} cannot be read.`);
      return { type, effect, scope, rules: update['rules'].map((rule) => ruleFrom(objectIn(rule))) };
    }
    case 'setMode': {
      const mode = parsePermissionMode(update['mode']);
      if (mode === undefined) throw new Error(`The permission mode “${String(update['mode'])}” is not known.`);
      return { type, mode };
    }
    case 'addDirectories':
    case 'removeDirectories':
      return { type, directories: Array.isArray(update['directories']) ? update['directories'].map(String) : [] };
    default:
      throw new Error(`The permission update “${String(type)}” is not known.`);
  }
}

function ruleFrom({ toolName, ruleContent }: ControlBody): string {
  if (typeof toolName !== 'string' || toolName === '') throw new Error('A rule of a permission update names no tool.');
  return typeof ruleContent === 'string' && ruleContent !== '' ? `${toolName}(${ruleContent})` : toolName;
}
