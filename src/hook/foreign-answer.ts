import type { HookDefinition } from '../domain/hook/definition.js';
import { vocabularyOf } from './foreign-input.js';
import { type JsonObject, isObject } from './plain-json.js';

/** Converts the output of another program's hook to Claude Code's fields. Unknown fields stay as they are. */
export function inClaudesWords(answer: JsonObject, hook: Pick<HookDefinition, 'event' | 'dialect' | 'foreignEvent'>): JsonObject {
  switch (vocabularyOf(hook)) {
    case 'claude':
    case 'vscode':
      return answer;
    case 'cursor':
      return fromCursor(answer, hook.event);
    case 'copilot-cli':
      return fromCopilot(answer, hook.event);
  }
}

/** Source: cursor.com/docs/agent/hooks. Both spellings of the messages are in use. */
function fromCursor(answer: JsonObject, event: HookDefinition['event']): JsonObject {
  const {
    permission,
    decision,
    updated_input,
    additional_context,
    followup_message,
    user_message,
    userMessage,
    agent_message,
    agentMessage,
    continue: goesOn,
    ...rest
  } = answer;
  // A script that Claude Code’s files name as well may answer in its form.
  const inner = isObject(rest['hookSpecificOutput']) ? rest['hookSpecificOutput'] : {};
  const forUser = user_message ?? userMessage;
  const reason = agent_message ?? agentMessage ?? forUser ?? rest['reason'];
  const context = additional_context === undefined ? {} : { additionalContext: additional_context };
  const systemMessage = forUser === undefined ? {} : { systemMessage: forUser };
  switch (event) {
    case 'PreToolUse':
    case 'PreSkillShellCommand':
    case 'SubagentStart': {
      const verdict = permission ?? (decision === 'approve' ? 'allow' : decision === 'block' ? 'deny' : decision);
      const specific = { permissionDecision: verdict, permissionDecisionReason: reason, updatedInput: updated_input, ...context };
      // Cursor documents `continue` for prompts alone; a script that Claude Code’s files name as well ends the turn by it.
      return present({ ...rest, ...systemMessage, continue: goesOn, hookSpecificOutput: { ...inner, ...present(specific) } });
    }
    case 'UserPromptSubmit':
      return goesOn === false
        ? present({ ...rest, decision: 'block', reason })
        : present({ ...rest, ...systemMessage, continue: goesOn, hookSpecificOutput: { ...inner, ...context } });
    case 'Stop':
    case 'SubagentStop':
      return typeof followup_message === 'string' && followup_message !== ''
        ? { ...rest, decision: 'block', reason: followup_message }
        : { ...rest, ...systemMessage };
    default:
      return present({ ...rest, ...systemMessage, decision, hookSpecificOutput: { ...inner, ...context } });
  }
}

/** Source: docs.github.com, Copilot CLI hooks reference: what Claude Code has in `hookSpecificOutput` is at the top. */
function fromCopilot(answer: JsonObject, event: HookDefinition['event']): JsonObject {
  const { permissionDecision, permissionDecisionReason, modifiedArgs, additionalContext, behavior, message, ...rest } = answer;
  const inner = isObject(rest['hookSpecificOutput']) ? rest['hookSpecificOutput'] : {};
  const decision = event === 'PermissionRequest' && behavior !== undefined ? { decision: present({ behavior, message }) } : {};
  return {
    ...rest,
    hookSpecificOutput: { ...inner, ...present({ permissionDecision, permissionDecisionReason, updatedInput: modifiedArgs, additionalContext }), ...decision },
  };
}

function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
