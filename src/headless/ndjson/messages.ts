import { randomUUID } from 'node:crypto';
import { assertNever } from '../../domain/assert-never.js';
import { errorMessage, ProviderError } from '../../domain/errors.js';
import { textContent, type UserMessage } from '../../domain/model/message.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import { addFigures, addUsage, type FiguresByModel, NO_USAGE, type Usage } from '../../domain/model/usage.js';
import { present } from '../../domain/present.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { PermissionDenial } from '../../domain/session/session-store.js';
import type { SessionEvent, Turn, TurnEnd } from '../../engine/events.js';
import { TaskMessages } from './task-messages.js';
import { PartialMessages } from './partial-messages.js';
import { assistantOf, contentOf, deniedOnWire, resultOf, stopReasonOf, usageOf, type WireMessage } from './wire-content.js';

/** What a result says of the run as a whole. */
export interface RunFacts {
  /** Data in the form that was asked for; absent where none was, or none came. */
  readonly structured?: unknown;
  /** Why there is none although it was asked for. */
  readonly structuredProblem?: string;
}

/** Events of agents that work for the session which programs get: what they say, and what they do. */
const TOLD_OF_CHILDREN: ReadonlySet<SessionEvent['type']> = new Set(['child', 'round_started', 'stream', 'answer', 'tool_result']);

/** How results end. Those but `success` are errors. */
export type ResultSubtype = 'success' | 'error_during_execution' | 'error_max_turns' | 'error_max_budget_usd' | 'error_max_structured_output_retries';

/** What the messages are about. */
export interface WireSession {
  readonly id: string;
  /** Absolute path of the current folder. */
  readonly folder: string;
  /** A model by its name `provider/model`; `undefined` where nothing is known of it. */
  readonly modelNamed: (name: string) => ModelInfo | undefined;
  /** Takes keys out of what servers say, which can repeat what they were sent. */
  readonly clean: (text: string) => string;
}

/**
 * Turns what a session does into messages of the Agent SDK protocol: the one place where words of Gnomon become words of the wire. Source of
 * names and shapes: `sdk.d.ts` of @anthropic-ai/claude-agent-sdk 0.3.332, read as documentation.
 */
export class WireMessages {
  /** The model that answers in each session, and how its answer is told while it comes: agents work side by side. */
  private readonly voices = new Map<string, { model: string; readonly parts: PartialMessages | undefined }>();
  private readonly partial: boolean;
  private readonly tasks: TaskMessages;
  private total: { readonly usage: Usage; readonly costUsd: number | undefined; readonly byModel: FiguresByModel } = {
    usage: NO_USAGE,
    costUsd: 0,
    byModel: {},
  };
  private denials: readonly PermissionDenial[] = [];
  private mode: PermissionMode | undefined;

  /** @param options whether answers are reported while they come, and the mode that is in effect at the start: a change of it is told */
  constructor(
    private readonly session: WireSession,
    { partial, mode }: { readonly partial: boolean; readonly mode?: PermissionMode },
  ) {
    this.mode = mode;
    this.partial = partial;
    this.tasks = new TaskMessages(session.clean);
  }

  /** The messages for the next event, in their order. The end of a turn has none: {@link result} says it. */
  of(event: SessionEvent): readonly WireMessage[] {
    const madeBy = event.who.worksFor?.callId ?? null;
    const voice = this.voiceOf(event.who.session);
    switch (event.type) {
      case 'child':
        return [...this.tasks.of(event.event).map((message) => this.framed(message)), ...(TOLD_OF_CHILDREN.has(event.event.type) ? this.of(event.event) : [])];
      case 'round_started':
        voice.model = event.model.slice(event.model.indexOf('/') + 1);
        return this.streamed(madeBy, voice.parts?.begin(voice.model));
      case 'stream':
        return this.streamed(madeBy, voice.parts?.of(event.event));
      case 'answer':
        return [
          ...this.streamed(madeBy, voice.parts?.end(event.message)),
          this.framed({ type: 'assistant', message: assistantOf(event.message, voice.model, this.session.folder), parent_tool_use_id: madeBy }),
        ];
      case 'tool_result':
        return [this.framed({ type: 'user', message: { role: 'user', content: [resultOf(event.message, this.session.folder)] }, parent_tool_use_id: madeBy })];
      case 'compacted': {
        const { trigger, tokensBefore, tokensAfter } = event.compaction;
        const metadata = { trigger: trigger === 'manual' ? 'manual' : 'auto', pre_tokens: tokensBefore, post_tokens: tokensAfter };
        return [this.framed({ type: 'system', subtype: 'compact_boundary', compact_metadata: metadata })];
      }
      case 'retry_scheduled': {
        const { attempt, maxAttempts, delayMs, error } = event;
        const status = error instanceof ProviderError ? (error.status ?? null) : null;
        return [
          this.framed({
            type: 'system',
            subtype: 'api_retry',
            attempt,
            max_retries: maxAttempts,
            retry_delay_ms: delayMs,
            error_status: status,
            error: kindOf(error),
          }),
        ];
      }
      case 'settings_changed': {
        const isOther = this.mode !== event.effectiveMode;
        this.mode = event.effectiveMode;
        return isOther ? [this.framed({ type: 'system', subtype: 'status', status: null, permissionMode: event.effectiveMode })] : [];
      }
      default:
        // The rest is for those who draw a chat.
        return [];
    }
  }

  /** A message that the user said, as it is repeated to who asked for that. */
  said(message: UserMessage): WireMessage {
    return this.framed({
      type: 'user',
      message: { role: 'user', content: message.content.map((block) => contentOf(block, this.session.folder)) },
      parent_tool_use_id: null,
      isReplay: true,
    });
  }

  /** What a turn came to: exactly one for each. Figures are those of the whole run, as those of the SDK are. */
  result(turn: Turn, { structured, structuredProblem }: RunFacts = {}): WireMessage {
    this.total = {
      usage: addUsage(this.total.usage, turn.usage),
      costUsd: this.total.costUsd === undefined || turn.costUsd === undefined ? undefined : this.total.costUsd + turn.costUsd,
      byModel: addFigures(this.total.byModel, turn.byModel),
    };
    this.denials = [...this.denials, ...turn.denials];
    const subtype = structuredProblem === undefined ? subtypeOf(turn) : 'error_max_structured_output_retries';
    const answer = turn.messages.findLast((message) => message.role === 'assistant');
    const searches = Object.values(this.total.byModel).reduce((sum, { webSearchRequests = 0 }) => sum + webSearchRequests, 0);
    return this.framed({
      type: 'result',
      subtype,
      is_error: subtype !== 'success',
      duration_ms: Math.round(turn.durationMs),
      duration_api_ms: Math.round(turn.modelMs),
      num_turns: turn.rounds,
      ...(subtype === 'success'
        ? { result: answer === undefined ? '' : textContent(answer) }
        : { errors: [this.session.clean(structuredProblem ?? problemOf(turn))] }),
      stop_reason: answer === undefined ? null : stopReasonOf(answer.stopReason),
      terminal_reason: turn.end,
      // What is not known is not told as nothing.
      total_cost_usd: this.total.costUsd ?? null,
      usage: { ...usageOf(this.total.usage), server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } },
      modelUsage: this.byModel(),
      permission_denials: this.denials.map(({ toolName, toolCallId, toolInput, reason, agent }) => ({
        ...deniedOnWire(toolName, toolInput, this.session.folder),
        tool_use_id: toolCallId,
        reason,
        ...present({ agent_type: agent }),
      })),
      ...present({ structured_output: structured }),
    });
  }

  /** Any other message about the session, with what all have. */
  framed(message: WireMessage): WireMessage {
    return { ...message, session_id: this.session.id, uuid: randomUUID() };
  }

  private voiceOf(session: string): { model: string; readonly parts: PartialMessages | undefined } {
    const voice = this.voices.get(session) ?? { model: '', parts: this.partial ? new PartialMessages() : undefined };
    this.voices.set(session, voice);
    return voice;
  }

  private streamed(madeBy: string | null, events: readonly object[] = []): readonly WireMessage[] {
    return events.map((event) => this.framed({ type: 'stream_event', event, parent_tool_use_id: madeBy }));
  }

  private byModel(): Readonly<Record<string, object>> {
    return Object.fromEntries(
      Object.entries(this.total.byModel).map(([name, { usage, costUsd, webSearchRequests }]) => {
        const model = this.session.modelNamed(name);
        return [
          name,
          {
            inputTokens: usage.inputTokens,
            outputTokens: usage.outputTokens,
            cacheReadInputTokens: usage.cacheReadTokens,
            cacheCreationInputTokens: usage.cacheWriteTokens,
            ...present({ cacheCreationEphemeral1hInputTokens: usage.hourCacheWriteTokens }),
            webSearchRequests: webSearchRequests ?? 0,
            costUSD: costUsd ?? null,
            contextWindow: model?.contextWindow ?? null,
            maxOutputTokens: model?.maxOutputTokens ?? null,
          },
        ];
      }),
    );
  }
}

/** The result of a message that could not be worked on at all, without what all messages of a session have. */
export function failedResult(why: string): WireMessage {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    errors: [why],
    stop_reason: null,
    terminal_reason: 'error',
    total_cost_usd: 0,
    usage: { ...usageOf(NO_USAGE), server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 } },
    modelUsage: {},
    permission_denials: [],
  };
}

/** How a turn ended, in the words of the wire. */
export function subtypeOf({ end, reached }: Pick<Turn, 'end' | 'reached'>): ResultSubtype {
  switch (end) {
    case 'end_turn':
    case 'length':
    case 'cut':
      return 'success';
    case 'round_limit':
      return 'error_max_turns';
    case 'cap':
      return reached?.limit === 'money'
        ? 'error_max_budget_usd'
        : reached?.limit === 'turns' || reached?.limit === 'requests'
          ? 'error_max_turns'
          : 'error_during_execution';
    case 'aborted':
    case 'error':
    case 'loop':
    case 'hook':
    case 'blocked':
    case 'unknown':
      return 'error_during_execution';
    default:
      return assertNever(end);
  }
}

const ENDS: Readonly<Partial<Record<TurnEnd, string>>> = {
  aborted: 'It was stopped.',
  round_limit: 'It stopped at the limit of requests for one message.',
  unknown: 'The model ended its answer for a reason that is not known.',
};

/** What went wrong in a turn, in a sentence. */
export function problemOf({ end, error }: Pick<Turn, 'end' | 'error'>): string {
  return error === undefined ? (ENDS[end] ?? 'It failed.') : errorMessage(error);
}

function kindOf(error: unknown): string {
  return error instanceof ProviderError ? error.kind : 'unknown';
}
