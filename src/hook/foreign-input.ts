import type { HookDefinition } from '../domain/hook/definition.js';
import type { HookContext, HookEvent } from '../domain/hook/event.js';
import { type ToolVocabulary, callIn, toForeign } from './foreign-names.js';
import { type JsonObject, isObject } from './plain-json.js';

/** Program whose tool names a hook expects. */
export function vocabularyOf({ dialect, foreignEvent }: Pick<HookDefinition, 'dialect' | 'foreignEvent'>): ToolVocabulary {
  if (dialect !== 'copilot') return dialect;
  return foreignEvent === undefined ? 'vscode' : 'copilot-cli';
}

/**
 * Input of a hook, as JSON in one line: the fields of Claude Code, with the tools and fields of the program that the hook
 * was written for, and those of that program beside them. media/schemas/hooks has the fields of Claude Code.
 * @param now milliseconds since 1970
 */
export function inputText(hook: Pick<HookDefinition, 'dialect' | 'foreignEvent'>, event: HookEvent, context: HookContext, now: number): string {
  const vocabulary = vocabularyOf(hook);
  const input = { ...context, ...withTool(event, vocabulary, context.cwd) };
  switch (vocabulary) {
    case 'claude':
      return JSON.stringify(input);
    case 'cursor':
      return JSON.stringify({ ...input, ...cursorFields(hook.foreignEvent ?? event.hook_event_name, input) });
    case 'copilot-cli':
      return JSON.stringify({ ...input, ...copilotFields(input, now) });
    case 'vscode':
      return JSON.stringify({ ...input, timestamp: new Date(now).toISOString(), sessionId: context.session_id, hookEventName: event.hook_event_name });
  }
}

function withTool(event: HookEvent, vocabulary: ToolVocabulary, cwd: string): JsonObject {
  if (!('tool_name' in event)) return { ...event };
  const { name, input } = toForeign(callIn(event), vocabulary, cwd);
  // JSON has nothing that is undefined.
  return { ...event, tool_name: name, tool_input: input, of_server: undefined };
}

/** Source: cursor.com/docs/agent/hooks, version 1. The content of a file that is to be read is not there: nothing is read before permission. */
function cursorFields(event: string, input: JsonObject): JsonObject {
  const base = { hook_event_name: event, conversation_id: input['session_id'], generation_id: input['session_id'], workspace_roots: [input['cwd']] };
  const args: JsonObject = isObject(input['tool_input']) ? input['tool_input'] : {};
  const isServerTool = typeof input['tool_name'] === 'string' && input['tool_name'].startsWith('MCP:');
  switch (event) {
    case 'beforeShellExecution':
      return { ...base, command: args['command'], cwd: args['working_directory'] ?? input['cwd'], sandbox: false };
    case 'afterShellExecution':
      return { ...base, command: args['command'], output: textOf(input['tool_response']) };
    case 'beforeMCPExecution':
    case 'afterMCPExecution':
      return {
        ...base,
        ...(isServerTool ? { tool_name: String(input['tool_name']).slice('MCP:'.length) } : {}),
        tool_input: JSON.stringify(args),
        ...(event === 'afterMCPExecution' ? { result_json: textOf(input['tool_response']) } : {}),
      };
    case 'beforeReadFile':
      return { ...base, file_path: args['file_path'], attachments: [] };
    case 'afterFileEdit':
      return { ...base, file_path: args['file_path'], edits: editsOf(args) };
    case 'beforeSubmitPrompt':
      return { ...base, attachments: [] };
    case 'sessionStart':
      return { ...base, is_background_agent: false, composer_mode: 'agent' };
    case 'stop':
    case 'subagentStop':
      return { ...base, status: 'completed', loop_count: input['stop_hook_active'] === true ? 1 : 0, subagent_type: input['agent_type'] };
    case 'subagentStart':
      return { ...base, subagent_id: input['agent_id'], subagent_type: input['agent_type'] };
    default:
      return base;
  }
}

function editsOf(args: JsonObject): unknown {
  if (Array.isArray(args['edits'])) return args['edits'];
  return [{ old_string: args['old_string'] ?? '', new_string: args['new_string'] ?? args['content'] ?? '' }];
}

/** Source: docs.github.com, hooks configuration reference. Times are in milliseconds since 1970, and arguments a text. */
function copilotFields(input: JsonObject, now: number): JsonObject {
  const base = { timestamp: now, sessionId: input['session_id'] };
  const call = input['tool_name'] === undefined ? {} : { toolName: input['tool_name'], toolArgs: JSON.stringify(input['tool_input']) };
  switch (input['hook_event_name']) {
    case 'PostToolUse':
      return { ...base, ...call, toolResult: { resultType: 'success', textResultForLlm: textOf(input['tool_response']) } };
    case 'PostToolUseFailure':
      return { ...base, ...call, toolResult: { resultType: 'failure', textResultForLlm: input['error'] } };
    case 'SessionStart':
      return { ...base, source: input['source'] === 'startup' ? 'new' : input['source'] };
    case 'SessionEnd':
      return { ...base, reason: input['reason'] === 'prompt_input_exit' ? 'user_exit' : 'complete' };
    case 'Stop':
      return { ...base, transcriptPath: input['transcript_path'], stopReason: 'end_turn' };
    default:
      return { ...base, ...call };
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}
