import { t } from '../../../src/protocol/l10n.js';
import type { ViewItem, ViewState, ViewToolCall } from '../../../src/protocol/view-state.js';
import { isActive } from '../agents/agent-tree.js';
import { visibleText } from '../approval/visible-text.js';
import { callName } from './tool-labels.js';

/** Activity of a conversation in a line, with its style. */
export interface ActivityLine {
  readonly look: 'ready' | 'working' | 'waiting' | 'elsewhere';
  readonly text: string;
}

/** Current activity of a conversation. */
export function activityLine({
  activity,
  hookStatus,
  retry,
  elsewhere,
  elves,
  items,
}: Pick<ViewState, 'activity' | 'hookStatus' | 'retry' | 'elsewhere' | 'elves' | 'items'>): ActivityLine {
  if (elsewhere === true) return { look: 'elsewhere', text: t('Continued in another window') };
  if (activity !== 'waiting' && elves.some(({ state }) => state === 'waiting')) return { look: 'waiting', text: t('An agent needs you') };
  if (activity === 'idle') return elves.some(isActive) ? { look: 'working', text: t('Agents are working') } : { look: 'ready', text: t('Ready') };
  const calls = callsOf(items.findLast((item) => item.kind === 'answer'));
  if (calls.some(({ status }) => status === 'awaiting_approval')) return { look: 'waiting', text: t('Waiting for your permission') };
  if (activity === 'waiting' || calls.some(({ status, preview }) => status === 'running' && preview?.kind === 'question'))
    return { look: 'waiting', text: t('Waiting for your answer') };
  if (retry !== null) return { look: 'working', text: t('Retrying…') };
  if (hookStatus !== '') return { look: 'working', text: visibleText(hookStatus) };
  const call = calls.find(({ status }) => status === 'running');
  if (call !== undefined) return { look: 'working', text: callName(call) };
  const summarizes = items.some((item) => item.kind === 'compaction' && item.status === 'running');
  return { look: 'working', text: summarizes ? t('Summarizing') : t('Working') };
}

function callsOf(answer: ViewItem | undefined): readonly ViewToolCall[] {
  return answer?.kind === 'answer' ? answer.blocks.flatMap((block) => (block.type === 'tool' ? [block.call] : [])) : [];
}
