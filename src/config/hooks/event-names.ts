import { HOOK_EVENTS, type HookEventName } from '../../domain/hook/event.js';

/** An event of another program: that of Gnomon, and the tools that it is about where it is about some only. */
export interface MappedEvent {
  readonly event: HookEventName;
  readonly matcher?: string;
}

/** Events of Claude Code that Gnomon does not have (`HOOK_EVENTS` of `@anthropic-ai/claude-agent-sdk` 0.3.330). */
export const OTHER_CLAUDE_EVENTS: ReadonlySet<string> = new Set([
  'PostToolBatch', 'UserPromptExpansion', 'StopFailure', 'PreModelSwitch', 'PostModelSwitch', 'PermissionDenied', 'Setup', 'TeammateIdle', 'TaskCreated', 'TaskCompleted', 'Elicitation',
  'ElicitationResult', 'ConfigChange', 'WorktreeCreate', 'WorktreeRemove', 'InstructionsLoaded', 'CwdChanged', 'FileChanged', 'DirectoryAdded', 'MessageDisplay',
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
export const OTHER_CURSOR_EVENTS: ReadonlySet<string> = new Set(['afterAgentResponse', 'afterAgentThought', 'beforeTabFileRead', 'afterTabFileEdit', 'workspaceOpen']);

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

/** Characters of a name that others are looked for near to. */
const MAX_NAME = 40;
/** Characters by which the beginning of a name is known. */
const MIN_BEGINNING = 5;
/** Changes of characters by which a name may be off. */
const MAX_CHANGES = 4;

/** The known name that a name is most like, if any is like it at all. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const longer = name.length >= MIN_BEGINNING ? known.find((each) => each.toLowerCase().startsWith(name.toLowerCase())) : undefined;
  if (longer !== undefined) return longer;
  const [nearest] = known.map((each) => ({ each, changes: changesBetween(lettersOf(name), lettersOf(each)) })).sort((a, b) => a.changes - b.changes);
  return nearest !== undefined && nearest.changes <= MAX_CHANGES ? nearest.each : undefined;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** How many characters must be added, removed or replaced to turn one name into the other (Levenshtein). */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
