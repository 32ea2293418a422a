import type { ViewItem, ViewState, ViewToolCall } from '../../src/protocol/view-state.js';
import { visibleText } from './visible-text.js';

/** What a conversation does, in a line, and how that looks. */
export interface ActivityLine {
  readonly look: 'ready' | 'working' | 'waiting' | 'elsewhere';
  readonly text: string;
}

const READY: ActivityLine = { look: 'ready', text: 'Ready' };

/** What a conversation does now. */
export function activityLine({ activity, retry, elsewhere, items }: Pick<ViewState, 'activity' | 'retry' | 'elsewhere' | 'items'>): ActivityLine {
  if (elsewhere === true) return { look: 'elsewhere', text: 'Continued in another window' };
  if (activity === 'idle') return READY;
  const calls = callsOf(items.findLast((item) => item.kind === 'answer'));
  if (calls.some(({ status }) => status === 'awaiting_approval')) return { look: 'waiting', text: 'Waiting for your permission' };
  if (activity === 'waiting' || calls.some(({ status, preview }) => status === 'running' && preview?.kind === 'question')) return { look: 'waiting', text: 'Waiting for your answer' };
  if (retry !== null) return { look: 'working', text: 'Waiting to try again' };
  const call = calls.find(({ status }) => status === 'running');
  if (call !== undefined) return { look: 'working', text: `Working: ${visibleText(`${call.name} ${call.subject}`.trim())}` };
  const summarises = items.some((item) => item.kind === 'compaction' && item.status === 'running');
  return { look: 'working', text: summarises ? 'Summarising' : 'Working' };
}

function callsOf(answer: ViewItem | undefined): readonly ViewToolCall[] {
  return answer?.kind === 'answer' ? answer.blocks.flatMap((block) => (block.type === 'tool' ? [block.call] : [])) : [];
}
