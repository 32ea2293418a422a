import type { Message } from '../../domain/model/message.js';
import { toolCalls } from '../../domain/model/message-helpers.js';
import { messageTokens } from './message-tokens.js';

/** Limits for {@link cutPoint}; tokens are estimated. */
export interface CutRules {
  /** Messages before this index are covered by a summary already. */
  readonly from: number;
  /** What the messages that stay may take. */
  readonly keep: number;
  /** What even the last round may not take; if it does, it is summarized with the rest. */
  readonly keepAtMost: number;
}

/**
 * Index of the first message to keep as it is: as many of the last rounds as fit, at least one. Never between a call and
 * its result. `undefined` when nothing would be summarized.
 */
export function cutPoint(messages: readonly Message[], { from, keep, keepAtMost }: CutRules): number | undefined {
  let cut = messages.length;
  let at = messages.length;
  let kept = 0;
  for (const place of [from, ...cutPlaces(messages, from)].reverse()) {
    kept += messages.slice(place, at).reduce((total, message) => total + messageTokens(message), 0);
    at = place;
    if (kept > (cut === messages.length ? keepAtMost : keep)) break;
    cut = place;
  }
  // Messages of the user alone are not worth a summary.
  return messages.slice(from, cut).some((message) => message.role === 'assistant') ? cut : undefined;
}

/** Where rounds and turns begin behind `from`. A first answer stays with the message that it answers. */
function cutPlaces(messages: readonly Message[], from: number): number[] {
  const open = new Set<string>();
  return messages.flatMap((message, index) => {
    switch (message.role) {
      case 'tool_result':
        open.delete(message.toolCallId);
        return [];
      case 'user':
        // Results of the calls before may follow.
        return index > from && open.size === 0 ? [index] : [];
      default:
        open.clear();
        for (const call of toolCalls(message)) open.add(call.id);
        return index > from && messages[index - 1]?.role !== 'user' ? [index] : [];
    }
  });
}
