import { assertNever } from '../../../domain/assert-never.js';
import type { ApprovalAnswer } from '../../../domain/tool/permission.js';
import type { PanelMessage } from '../../../protocol/messages.js';

/** What a page's answer to a permission prompt says; `undefined` when it does not fit together. */
export function approvalAnswer(message: Extract<PanelMessage, { type: 'answer_approval' }>): ApprovalAnswer | undefined {
  const { answer, feedback, command, rules, scope } = message;
  switch (answer) {
    case 'deny':
      return feedback === undefined ? { type: 'deny' } : { type: 'deny', feedback };
    case 'allow':
      return command === undefined ? { type: 'allow' } : { type: 'allow', amendment: { type: 'command', command } };
    case 'always':
      return rules === undefined || rules.length === 0 || scope === undefined ? undefined : { type: 'always', rules, scope };
    default:
      return assertNever(answer);
  }
}
