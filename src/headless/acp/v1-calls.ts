import type { SessionUpdate, ToolCall, ToolCallContent } from '@agentclientprotocol/sdk';
import { assertNever } from '../../domain/assert-never.js';
import { present } from '../../domain/present.js';
import type { CallLook, CallPart } from './call-look.js';
import type { EditorPaths } from './editor-paths.js';

// Terminals that only show something are in `_meta`, as Zed and claude-agent-acp have them: `terminal_output` among the capabilities of a client,
// `terminal_info` where a call begins, `terminal_output` for what is printed, and `terminal_exit`.

/** A call, when it is heard of first. */
export function callBegun(look: CallLook, paths: EditorPaths): SessionUpdate {
  const begun: SessionUpdate = { sessionUpdate: 'tool_call', ...callFields(look, paths) };
  return look.hasTerminal === true ? { ...begun, _meta: { terminal_info: { terminal_id: look.id } } } : begun;
}

/** What a command has printed since that was told last, for the terminal that its call has. */
export function terminalPrinted(callId: string, data: string): SessionUpdate {
  return { sessionUpdate: 'tool_call_update', toolCallId: callId, _meta: { terminal_output: { terminal_id: callId, data } } };
}

/** That nothing more comes for the terminal of a call. @param exitCode absent for a command that was killed, or goes on elsewhere */
export function terminalEnded(callId: string, exitCode: number | undefined): SessionUpdate {
  const ended = { terminal_id: callId, exit_code: exitCode ?? null, signal: null };
  return { sessionUpdate: 'tool_call_update', toolCallId: callId, _meta: { terminal_exit: ended } };
}

/** What is another thing of a call than it was told last; `undefined` where nothing is. */
export function callChanged(look: CallLook, before: CallLook, paths: EditorPaths): SessionUpdate | undefined {
  const { toolCallId, ...now } = callFields(look, paths);
  const then = new Map<string, unknown>(Object.entries(callFields(before, paths)));
  const changed = Object.fromEntries(Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(then.get(key))));
  return Object.keys(changed).length === 0 ? undefined : { sessionUpdate: 'tool_call_update', toolCallId, ...changed };
}

/** A call with everything that an editor shows of it. */
export function callFields({ id, tool, title, kind, progress, places, parts }: CallLook, paths: EditorPaths): ToolCall {
  return {
    toolCallId: id,
    name: tool,
    title,
    kind,
    status: progress,
    locations: places.map(({ path, line }) => ({ path: paths.toEditor(path), ...present({ line }) })),
    content: parts.map((part) => contentOf(part, paths)),
  };
}

function contentOf(part: CallPart, paths: EditorPaths): ToolCallContent {
  switch (part.type) {
    case 'diff':
      return { type: 'diff', path: paths.toEditor(part.path), oldText: part.before ?? null, newText: part.after };
    case 'words':
      return { type: 'content', content: { type: 'text', text: part.text.replaceAll(/[\\`*_[\]<>!#|~]/g, String.raw`\$&`) } };
    case 'output':
      return { type: 'content', content: { type: 'text', text: fenced(part.text) } };
    case 'image':
      return { type: 'content', content: { type: 'image', data: Buffer.from(part.data).toString('base64'), mimeType: part.mimeType } };
    case 'terminal':
      return { type: 'terminal', terminalId: part.id };
    default:
      return assertNever(part);
  }
}

/** A text that an editor shows as Markdown as what it is: in it, nothing is loaded or can be clicked. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
