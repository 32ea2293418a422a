import { readFile } from 'node:fs/promises';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS, type HookContext, type HookEvent, type HookEventName } from '../../../src/domain/hook/event.js';
import { inputText } from '../../../src/hook/foreign-input.js';

const context: HookContext = { session_id: 's1', transcript_path: '/s/1.json', cwd: '/ws', permission_mode: 'default' };
const call = { tool_name: 'bash', tool_input: { command: 'ls' }, tool_use_id: 'call-1' };
/** One of each: a missing event is an error of the compiler. */
const EVENTS: { readonly [Name in HookEventName]: Extract<HookEvent, { readonly hook_event_name: Name }> | HookEvent } = {
  PreToolUse: { hook_event_name: 'PreToolUse', ...call },
  PreSkillShellCommand: { hook_event_name: 'PreSkillShellCommand', command_name: 'release', invoked_by: 'user', ...call },
  PermissionRequest: { hook_event_name: 'PermissionRequest', ...call },
  PostToolUse: { hook_event_name: 'PostToolUse', ...call, tool_response: 'ok' },
  PostToolUseFailure: { hook_event_name: 'PostToolUseFailure', ...call, error: 'no' },
  Notification: { hook_event_name: 'Notification', message: 'Waiting', notification_type: 'idle_prompt' },
  UserPromptSubmit: { hook_event_name: 'UserPromptSubmit', prompt: 'Hello' },
  SessionStart: { hook_event_name: 'SessionStart', source: 'startup' },
  SessionEnd: { hook_event_name: 'SessionEnd', reason: 'other' },
  Stop: { hook_event_name: 'Stop', stop_hook_active: false },
  SubagentStart: { hook_event_name: 'SubagentStart', agent_id: 'a', agent_type: 'tester' },
  SubagentStop: { hook_event_name: 'SubagentStop', stop_hook_active: true, agent_id: 'a', agent_type: 'tester', agent_transcript_path: '/s/a.json' },
  PreCompact: { hook_event_name: 'PreCompact', trigger: 'auto', custom_instructions: '' },
  PostCompact: { hook_event_name: 'PostCompact', trigger: 'manual' },
};

async function isValid(event: HookEventName, input: unknown): Promise<boolean> {
  const schema = JSON.parse(await readFile(`media/schemas/hooks/${event}.schema.json`, 'utf8')) as object;
  return new AjvJsonSchemaValidator().getValidator(schema)(input).valid;
}

describe('the inputs of hooks', () => {
  it.each(HOOK_EVENTS)('H-01: %s is as its published schema says, also with further fields, and not without one of the base', async (event) => {
    const input = JSON.parse(inputText({ dialect: 'claude' }, EVENTS[event], context, 0)) as HookContext & HookEvent & Record<string, unknown>;
    expect(await isValid(event, input)).toBe(true);
    expect(await isValid(event, { ...input, effort: { level: 'high' } })).toBe(true);
    for (const field of ['session_id', 'transcript_path', 'cwd', 'permission_mode', 'hook_event_name']) {
      expect(await isValid(event, Object.fromEntries(Object.entries(input).filter(([name]) => name !== field)))).toBe(false);
    }
    expect(await isValid(event, { ...input, hook_event_name: 'Other' })).toBe(false);
  });

  it.each([
    ['cursor', 'preToolUse'],
    ['copilot', 'preToolUse'],
    ['copilot', undefined],
  ] as const)('H-01: those for %s %s have the fields of the base as well', (dialect, foreignEvent) => {
    const input = JSON.parse(inputText({ dialect, ...(foreignEvent === undefined ? {} : { foreignEvent }) }, EVENTS.PreToolUse, context, 0)) as object;
    expect(input).toMatchObject(context);
  });
});
