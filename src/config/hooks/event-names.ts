import { HOOK_EVENTS, type HookEventName } from '../../domain/hook/event.js';

/** An event of another program: that of Gnomon, and the tools that it is about where it is about some only. */
export interface MappedEvent {
  readonly event: HookEventName;
  readonly matcher?: string;
}

/** Events of Claude Code that Gnomon does not have (`HOOK_EVENTS` of `@anthropic-ai/claude-agent-sdk` 0.3.330). */
export const OTHER_CLAUDE_EVENTS: ReadonlySet<string> = new Set([
  'PostToolBatch',
  'UserPromptExpansion',
  'StopFailure',
  'PreModelSwitch',
  'PostModelSwitch',
  'PermissionDenied',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
]);

/** Events of `.cursor/hooks.json` (cursor.com/docs/agent/hooks, version 1). */
export const CURSOR_EVENTS: Readonly<Record<string, MappedEvent>> = {
  beforeShellExecution: { event: 'PreToolUse', matcher: 'Bash' },
  afterShellExecution: { event: 'PostToolUse', matcher: 'Bash' },
  beforeMCPExecution: { event: 'PreToolUse', matcher: '^mcp__' },
  afterMCPExecution: { event: 'PostToolUse', matcher: '^mcp__' },
  beforeReadFile: { event: 'PreToolUse', matcher: 'Read' },
  afterFileEdit: { event: 'PostToolUse', matcher: 'Edit|MultiEdit|Write' },
  beforeSubmitPrompt: { event: 'UserPromptSubmit' },
  preToolUse: { event: 'PreToolUse' },
  postToolUse: { event: 'PostToolUse' },
  postToolUseFailure: { event: 'PostToolUseFailure' },
  sessionStart: { event: 'SessionStart' },
  sessionEnd: { event: 'SessionEnd' },
  stop: { event: 'Stop' },
  subagentStart: { event: 'SubagentStart' },
  subagentStop: { event: 'SubagentStop' },
  preCompact: { event: 'PreCompact' },
};

/** Events of Cursor that Gnomon does not have. */
export const OTHER_CURSOR_EVENTS: ReadonlySet<string> = new Set([
  'afterAgentResponse',
  'afterAgentThought',
  'beforeTabFileRead',
  'afterTabFileEdit',
  'workspaceOpen',
]);

/** Events of Copilot CLI (docs.github.com, Copilot CLI hooks reference). VS Code has those of Claude Code in the same files. */
export const COPILOT_EVENTS: Readonly<Record<string, MappedEvent>> = {
  sessionStart: { event: 'SessionStart' },
  sessionEnd: { event: 'SessionEnd' },
  userPromptSubmitted: { event: 'UserPromptSubmit' },
  preToolUse: { event: 'PreToolUse' },
  postToolUse: { event: 'PostToolUse' },
  postToolUseFailure: { event: 'PostToolUseFailure' },
  permissionRequest: { event: 'PermissionRequest' },
  notification: { event: 'Notification' },
  agentStop: { event: 'Stop' },
  subagentStart: { event: 'SubagentStart' },
  subagentStop: { event: 'SubagentStop' },
  preCompact: { event: 'PreCompact' },
};

/** Events of Copilot CLI that Gnomon does not have. */
export const OTHER_COPILOT_EVENTS: ReadonlySet<string> = new Set(['errorOccurred']);

/** Events of Claude Code, by their names. */
export const CLAUDE_EVENTS: Readonly<Record<string, MappedEvent>> = Object.fromEntries(HOOK_EVENTS.map((event) => [event, { event }]));
