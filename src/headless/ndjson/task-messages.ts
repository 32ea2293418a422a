import { textContent } from '../../domain/model/message.js';
import { totalInputTokens } from '../../domain/model/usage.js';
import type { SessionEvent, Turn } from '../../engine/events.js';
import { headOf } from '../../text/show.js';
import type { WireMessage } from './wire-content.js';

/** Characters of last words that a message repeats. */
const MAX_SUMMARY = 500;

/** What an agent has used in its run so far. */
interface Used {
  readonly began: number;
  tools: number;
  tokens: number;
}

/**
 * Tells of agents that work for a session as tasks: when a run of one begins, after each of its calls, and when it has ended. Source of names and shapes:
 * `SDKTaskStartedMessage`, `SDKTaskProgressMessage`, and `SDKTaskNotificationMessage` of @anthropic-ai/claude-agent-sdk, read as documentation.
 */
export class TaskMessages {
  private readonly used = new Map<string, Used>();

  /** @param clean takes keys out of what servers say */
  constructor(private readonly clean: (text: string) => string) {}

  /** The messages for an event of an agent; none for one of the session itself. */
  of(event: SessionEvent): readonly WireMessage[] {
    const { who } = event;
    const { worksFor } = who;
    if (worksFor === undefined) return [];
    const task = { task_id: who.session, tool_use_id: worksFor.callId };
    const used = this.used.get(who.session) ?? { began: performance.now(), tools: 0, tokens: 0 };
    switch (event.type) {
      case 'turn_started':
        this.used.set(who.session, { ...used, began: performance.now(), tools: 0 });
        return [
          {
            ...{ type: 'system', subtype: 'task_started', ...task, description: worksFor.task, task_type: 'local_agent' },
            ...{ subagent_type: worksFor.agent, spawn_depth: who.depth },
          },
        ];
      case 'usage':
        used.tokens = totalInputTokens(event.usage) + event.usage.outputTokens;
        return [];
      case 'tool_call': {
        const { state } = event;
        if (state.status !== 'running') return [];
        used.tools += 1;
        return [{ type: 'system', subtype: 'task_progress', ...task, description: worksFor.task, usage: usageOf(used), last_tool_name: state.plan.tool }];
      }
      case 'turn_ended':
        this.used.delete(who.session);
        return [
          {
            ...{ type: 'system', subtype: 'task_notification', ...task, status: statusOf(event.turn), output_file: '' },
            ...{ summary: this.clean(summaryOf(event.turn, worksFor.task)), usage: usageOf(used) },
          },
        ];
      default:
        return [];
    }
  }
}

function usageOf({ began, tools, tokens }: Used): object {
  return { total_tokens: tokens, tool_uses: tools, duration_ms: Math.round(performance.now() - began) };
}

function statusOf({ end }: Turn): 'completed' | 'failed' | 'stopped' {
  if (end === 'aborted') return 'stopped';
  return end === 'end_turn' || end === 'length' || end === 'cut' ? 'completed' : 'failed';
}

function summaryOf({ messages }: Turn, task: string): string {
  const last = messages.findLast((message) => message.role === 'assistant');
  const words = last === undefined ? '' : textContent(last).trim();
  return words === '' ? task : headOf(words, MAX_SUMMARY);
}
