import type { HookEvent } from '../../domain/hook/event.js';
import type { HookBlock } from '../../domain/hook/outcome.js';
import { text } from '../../domain/model/content.js';
import type { Message, Timestamp, UserMessage } from '../../domain/model/message.js';
import { textContent } from '../../domain/model/message-helpers.js';

/** How often hooks can keep one turn from ending: a hook that always blocks must not run up a bill. Claude Code has the same number. */
export const MAX_STOP_BLOCKS = 8;

/** What hooks are told when a turn is about to end. @param again whether hooks have kept it from that before */
export function stopEvent(messages: readonly Message[], again: boolean): HookEvent {
  const last = messages.findLast((message) => message.role === 'assistant');
  return { hook_event_name: 'Stop', stop_hook_active: again, ...(last === undefined ? {} : { last_assistant_message: textContent(last) }) };
}

/** What the model is told to go on with. */
export function goOnMessage({ by, reason }: HookBlock, times: number, timestamp: Timestamp): UserMessage {
  const last = times < MAX_STOP_BLOCKS ? '' : '\n\nThis is the last time that hooks are asked in this turn.';
  return { role: 'user', content: [text(`[The hook ${by} asks you to go on]\n${reason}${last}`)], timestamp };
}
