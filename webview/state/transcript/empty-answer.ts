import type { ViewAnswerItem } from '../../../src/protocol/view-state.js';

/** Whether the model answered without a word. One that was not asked, as where a limit ended the turn, has not. */
export function isEmpty({ status, blocks, facts }: ViewAnswerItem): boolean {
  return status === 'complete' && blocks.length === 0 && facts?.rounds !== 0;
}
