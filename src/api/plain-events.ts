import { present } from '../domain/present.js';
import { assertNever } from '../domain/assert-never.js';
import { attachedNames, wordsOf } from '../domain/session/attached.js';
import { type Message, textContent, toolCalls } from '../domain/model/message.js';
import type { StreamEvent } from '../domain/model/stream-event.js';
import type { ChildEvent, SessionEvent, ToolCallState, Turn, TurnEnd } from '../engine/events.js';
import type { Usage } from '../domain/model/usage.js';
import type { ElfFacts } from '../elf/elf.js';
import { stateOf } from '../chat/projection/elf-view.js';
import { noticeOfTurn } from '../chat/projection/notices.js';
import type { GnomonAgent, GnomonCallState, GnomonEvent, GnomonMessage, GnomonTurn, GnomonUsage } from './gnomon-api.js';

/** A call of the turn, as far as it is known. */
interface KnownCall {
  readonly tool: string;
  subject: string;
  /** Whether the user is being asked about it. */
  asked: boolean;
}

/** Turns what a session does into the events that other extensions get: few, plain, and copies of everything. */
export class PlainEvents {
  private readonly calls = new Map<string, KnownCall>();
  /** Calls of agents that the user is being asked about, by their sessions. */
  private readonly asked = new Set<string>();

  /** @param agentOf name of the agent whose session it is */
  constructor(private readonly agentOf: (session: string) => string | undefined) {}

  /** The events for the next one of the session. */
  of(event: SessionEvent): readonly GnomonEvent[] {
    switch (event.type) {
      case 'turn_started':
      case 'message_added':
        return [{ type: event.type, text: wordsOf(event.message) }];
      case 'stream':
        return this.streamed(event.event);
      case 'tool_call':
        return this.called(event.callId, event.state);
      case 'turn_ended':
        this.calls.clear();
        return [{ type: 'turn_ended', turn: plainTurn(event.turn) }];
      case 'child':
        return this.ofAgent(event);
      default:
        // The rest is about Gnomon's own business.
        return [];
    }
  }

  /** Of what agents do, only what the user is asked. */
  private ofAgent({ event }: ChildEvent): readonly GnomonEvent[] {
    if (event.type === 'child') return this.ofAgent(event);
    if (event.type !== 'tool_call') return [];
    const { callId, state, who } = event;
    const [key, agent] = [`${who.session} ${callId}`, this.agentOf(who.session)];
    if (state.status !== 'awaiting_approval')
      return this.asked.delete(key) ? [{ type: 'permission_resolved', callId, allowed: state.status === 'running', ...present({ agent }) }] : [];
    this.asked.add(key);
    const { tool, subject } = state.plan;
    return [{ type: 'permission_requested', callId, tool, subject, reasons: [...state.judgment.reasons], ...present({ agent }) }];
  }

  private streamed(event: StreamEvent): readonly GnomonEvent[] {
    switch (event.type) {
      case 'text_delta':
        return [{ type: 'text', delta: event.delta }];
      case 'thinking_delta':
        return [{ type: 'thinking', delta: event.delta }];
      case 'tool_call_begin':
        this.calls.set(event.id, { tool: event.name, subject: '', asked: false });
        return [];
      case 'tool_call_delta':
      case 'tool_call_end':
        return [];
      default:
        return assertNever(event);
    }
  }

  private called(callId: string, state: ToolCallState): readonly GnomonEvent[] {
    const call = this.calls.get(callId);
    if (call === undefined) return [];
    const plan = 'plan' in state ? state.plan : undefined;
    call.subject = plan?.subject ?? call.subject;
    const { tool, subject } = call;
    const told: GnomonEvent = { type: 'tool_call', callId, tool, subject, state: plainState(state) };
    if (state.status === 'awaiting_approval') {
      call.asked = true;
      return [told, { type: 'permission_requested', callId, tool, subject, reasons: [...state.judgment.reasons] }];
    }
    const resolved: readonly GnomonEvent[] = call.asked ? [{ type: 'permission_resolved', callId, allowed: state.status === 'running' }] : [];
    call.asked = false;
    return [...resolved, told];
  }
}

function plainState({ status }: ToolCallState): GnomonCallState {
  return status === 'awaiting_approval' ? 'awaiting_permission' : status;
}

function plainTurn(turn: Turn): GnomonTurn {
  const { usage, costUsd, rounds, durationMs } = turn;
  const answer = turn.messages.findLast((message) => message.role === 'assistant');
  const error = noticeOfTurn(turn)?.text;
  return {
    end: plainEnd(turn.end),
    text: answer === undefined ? '' : textContent(answer),
    ...present({ error }),
    usage: plainUsage(usage),
    ...present({ costUsd }),
    rounds,
    durationMs,
  };
}

/** Tokens, and nothing else that is known of them. */
export function plainUsage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): GnomonUsage {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}

/** Agents as other extensions see them. One that never began a run is not among them. */
export function plainAgents(elves: readonly ElfFacts[]): readonly GnomonAgent[] {
  return elves.flatMap((elf) => {
    const { name, parent, type, task, model, background, runs, usage, costUsd } = elf;
    const last = runs.at(-1);
    if (last === undefined) return [];
    const rounds = runs.reduce((sum, run) => sum + run.rounds, 0);
    const optional = present({ parent, costUsd, problem: last.problem });
    return [{ id: name, type, task, model, state: stateOf(elf), background, rounds, usage: plainUsage(usage), ...optional }];
  });
}

function plainEnd(end: TurnEnd): GnomonTurn['end'] {
  switch (end) {
    case 'end_turn':
      return 'done';
    case 'aborted':
      return 'stopped';
    case 'length':
    case 'cut':
      return 'length';
    case 'round_limit':
    case 'cap':
    case 'loop':
      return 'limit';
    case 'error':
    case 'hook':
    case 'blocked':
    case 'unknown':
      return 'failed';
    default:
      return assertNever(end);
  }
}

/** A conversation as other extensions see it: text, calls and results. */
export function plainMessages(messages: readonly Message[]): readonly GnomonMessage[] {
  return messages.map(plainMessage);
}

function plainMessage(message: Message): GnomonMessage {
  const { timestamp: time } = message;
  switch (message.role) {
    case 'user':
      return { role: 'user', text: wordsOf(message), attached: attachedNames(message), time };
    case 'assistant':
      return {
        role: 'assistant',
        text: textContent(message),
        calls: toolCalls(message).map((call) => ({ callId: call.id, tool: call.name, input: call.arguments })),
        time,
      };
    case 'tool_result':
      return { role: 'tool', callId: message.toolCallId, tool: message.toolName, text: textContent(message), isError: message.isError, time };
    default:
      return assertNever(message);
  }
}
