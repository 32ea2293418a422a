import type { Plan } from '../../src/domain/tool/tool.js';

/** The text that a plan writes to its first file; `undefined` when it writes none. */
export function plannedText({ changes: [change] }: Plan): string | undefined {
  return change === undefined || change.action === 'delete' ? undefined : change.text;
}
