import {
  type ClientCapabilities,
  type InitializeResponse,
  type PermissionOption,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';
import { assertNever } from '../../domain/assert-never.js';
import { ProviderError } from '../../domain/errors.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { Message, ToolResultMessage } from '../../domain/model/message.js';
import { present } from '../../domain/present.js';
import { wordsOf } from '../../domain/session/attached.js';
import type { ContextUse } from '../../domain/session/context.js';
import type { AskedPermission } from '../../domain/tool/asks.js';
import type { TodoItem } from '../../domain/tool/interaction.js';
import { useLabel } from '../../domain/tool/model-use.js';
import type { ApprovalAnswer } from '../../domain/tool/permission.js';
import type { Turn } from '../../engine/events.js';
import { problemOf } from '../ndjson/messages.js';
import type { OfferedCommand } from '../offered-commands.js';
import { type CallLook, pastLook } from './call-look.js';
import type { EditorPaths } from './editor-paths.js';
import { callBegun, callFields } from './v1-calls.js';

// With its neighbors, whose names begin alike, the one place where the words of the protocol, in its version 1, become those of Gnomon and the other way round.
// Source: agentclientprotocol.com/protocol/v1 and the schema of @agentclientprotocol/sdk 2.4.0.

/** What another program can do for an agent. */
export interface EditorAbilities {
  /** Whether it gives texts of files, and takes them. */
  readonly files: boolean;
  /** Whether it shows forms. */
  readonly forms: boolean;
  readonly notices: boolean;
  readonly compactions: boolean;
  /** Whether it shows what a command prints in a terminal, though the command runs here. */
  readonly terminals: boolean;
}

/**
 * What the other program says of itself. What it leaves out it cannot do. That it can run commands is not used: it would do so in its own
 * environment with all that is secret there, outside of the sandbox, and whether they have ended would be its word alone.
 */
export function abilitiesOf({ fs, elicitation, session, _meta: more }: ClientCapabilities = {}): EditorAbilities {
  const has = (value: unknown): boolean => value !== undefined && value !== null;
  return {
    // With one alone, it could not be known what is overwritten.
    files: fs?.readTextFile === true && fs.writeTextFile === true,
    forms: has(elicitation?.form),
    notices: has(session?.notices),
    compactions: has(session?.compaction),
    terminals: more?.['terminal_output'] === true,
  };
}

/** What Gnomon says of itself. The version is the newest that it knows, whatever was asked for: the other program decides. */
export function initialized(version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'gnomon', title: 'Gnomon', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
    },
    authMethods: [],
  };
}

/** Why a turn is over. @throws Error with a sentence for the user for one that failed */
export function stopReasonOf(turn: Turn, cancelled: boolean): StopReason {
  if (cancelled) return 'cancelled';
  switch (turn.end) {
    case 'end_turn':
    case 'loop':
    case 'hook':
    case 'unknown':
      return 'end_turn';
    case 'length':
    case 'cut':
      return 'max_tokens';
    case 'aborted':
      return 'cancelled';
    case 'round_limit':
    case 'cap':
      return 'max_turn_requests';
    // It was not recorded, which is what this word means.
    case 'blocked':
      return 'refusal';
    case 'error':
      if (turn.error instanceof ProviderError && turn.error.kind === 'refused_content') return 'refusal';
      throw new Error(problemOf(turn));
    default:
      return assertNever(turn.end);
  }
}

/** What the user has to know of the end of a turn beside its reason; `undefined` where that says it all. */
export function wordsAboutEnd(turn: Turn): string | undefined {
  switch (turn.end) {
    case 'end_turn':
    case 'length':
    case 'cut':
    case 'aborted':
      return undefined;
    case 'error':
      return turn.error instanceof ProviderError && turn.error.kind === 'refused_content' ? problemOf(turn) : undefined;
    default:
      return problemOf(turn);
  }
}

/** A piece of what is said. */
export function chunk(kind: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk', text: string, messageId: string): SessionUpdate {
  return { sessionUpdate: kind, content: { type: 'text', text }, messageId };
}

/** The plan of work. */
export function planUpdate(items: readonly TodoItem[]): SessionUpdate {
  const entries = items.map(({ text, status }) => ({
    content: text,
    priority: 'medium' as const,
    status: status === 'done' ? ('completed' as const) : status,
  }));
  return { sessionUpdate: 'plan', entries };
}

/** How full the context window is, and what the session has cost, where that is known. */
export function usageUpdate({ used, limit }: ContextUse, costUsd: number | undefined): SessionUpdate {
  return { sessionUpdate: 'usage_update', used, size: limit, ...(costUsd === undefined ? {} : { cost: { amount: costUsd, currency: 'USD' } }) };
}

/** What a session is called, and when something was last said in it: ISO 8601. */
export function infoUpdate(updatedAt: string, title?: string): SessionUpdate {
  return { sessionUpdate: 'session_info_update', ...present({ title }), updatedAt };
}

/** The commands that a message can begin with. */
export function commandsUpdate(commands: readonly Omit<OfferedCommand, 'isSkill'>[]): SessionUpdate {
  const availableCommands = commands.map(({ name, description, argumentHint: hint }) => ({ name, description, ...(hint === '' ? {} : { input: { hint } }) }));
  return { sessionUpdate: 'available_commands_update', availableCommands };
}

/** A sentence for the user. Only for an editor that shows such. */
export function noticeUpdate(title: string, severity: 'info' | 'warning' | 'error'): SessionUpdate {
  return { sessionUpdate: 'notice', severity, title };
}

/** That the beginning of the conversation is being summarized. Only for an editor that shows that. */
export function compactionUpdate(compactionId: string, status: 'in_progress' | 'completed' | 'failed', error?: string): SessionUpdate {
  return { sessionUpdate: 'compaction_update', compactionId, status, ...present({ error }) };
}

/** One of two updates that follow one another, where nothing is lost by that: pieces of the same message. */
export function joinedUpdates(first: SessionUpdate, second: SessionUpdate): SessionUpdate | undefined {
  if (first.sessionUpdate !== 'agent_message_chunk' && first.sessionUpdate !== 'agent_thought_chunk') return undefined;
  if (second.sessionUpdate !== first.sessionUpdate || second.messageId !== first.messageId) return undefined;
  if (first.content.type !== 'text' || second.content.type !== 'text') return undefined;
  return { ...second, content: { type: 'text', text: first.content.text + second.content.text } };
}

/** A stored conversation, as if it happened now. */
export function replayOf(messages: readonly Message[], paths: EditorPaths, idOf: () => string): readonly SessionUpdate[] {
  const results = new Map(
    messages.filter((message): message is ToolResultMessage => message.role === 'tool_result').map((message) => [message.toolCallId, message]),
  );
  return messages.flatMap((message): readonly SessionUpdate[] => {
    const id = idOf();
    if (message.role === 'user') return replayedPrompt(message, id);
    if (message.role !== 'assistant') return [];
    return message.content.flatMap((block): readonly SessionUpdate[] => {
      switch (block.type) {
        case 'text':
          return block.text === '' ? [] : [chunk('agent_message_chunk', block.text, id)];
        case 'thinking':
          return block.thinking === '' ? [] : [chunk('agent_thought_chunk', block.thinking, id)];
        case 'tool_call':
          return [callBegun(pastLook(block, results.get(block.id), paths.short), paths)];
        default:
          return assertNever(block);
      }
    });
  });
}

function replayedPrompt(message: Extract<Message, { role: 'user' }>, messageId: string): readonly SessionUpdate[] {
  const words = wordsOf(message);
  const images = message.content.filter((block) => block.type === 'image');
  return [
    ...(words === '' ? [] : [chunk('user_message_chunk', words, messageId)]),
    ...images.map(({ data, mimeType }): SessionUpdate => {
      const content = { type: 'image', data: Buffer.from(data).toString('base64'), mimeType } as const;
      return { sessionUpdate: 'user_message_chunk', content, messageId };
    }),
  ];
}

/** What an answer to a question can do for good: rules for the whole session, or an approval of a model for an agent. */
export type Lasting = Pick<AskedPermission['judgment'], 'proposal' | 'uses'>;

/** Rules that a lasting denial adds: an approval of a model has none that denies the same. */
function deniedBy({ proposal = [], uses }: Lasting): readonly string[] {
  return uses === undefined ? proposal : [`Agent(${uses.agent})`];
}

/** A call that is asked about. */
export function permissionRequest(sessionId: string, look: CallLook, asked: Lasting, paths: EditorPaths): RequestPermissionRequest {
  const { proposal = [], uses } = asked;
  const option = (kind: 'allow_always' | 'reject_always', name: string): readonly PermissionOption[] =>
    proposal.length === 0 ? [] : [{ optionId: kind, kind, name: showUnseen(name) }];
  const allows = uses === undefined ? `Always allow ${proposal.join(', ')} in this session` : useLabel(uses);
  return {
    sessionId,
    toolCall: callFields(look, paths),
    options: [
      { optionId: 'allow_once', kind: 'allow_once', name: 'Allow' },
      ...option('allow_always', allows),
      { optionId: 'reject_once', kind: 'reject_once', name: 'Deny' },
      ...option('reject_always', `Always deny ${deniedBy(asked).join(', ')} in this session`),
    ],
  };
}

/** What was answered. One that was cancelled, or that nobody offered, is a denial. `denied` are rules that deny from now on. */
export function permissionAnswer(
  { outcome }: Partial<RequestPermissionResponse>,
  asked: Lasting,
): { readonly answer: ApprovalAnswer; readonly denied: readonly string[] } {
  // Not all editors answer by the schema.
  if (outcome === undefined) return { answer: { type: 'deny', feedback: 'The editor gave no answer that can be understood, so it is denied.' }, denied: [] };
  const { proposal: rules = [] } = asked;
  const chosen = outcome.outcome === 'selected' ? outcome.optionId : '';
  if (chosen === 'allow_once') return { answer: { type: 'allow' }, denied: [] };
  if (chosen === 'allow_always' && rules.length > 0) return { answer: { type: 'always', rules, scope: 'session' }, denied: [] };
  return { answer: { type: 'deny' }, denied: chosen === 'reject_always' ? deniedBy(asked) : [] };
}
