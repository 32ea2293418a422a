import { assertNever } from '../../domain/assert-never.js';
import { t } from '../../domain/l10n.js';
import type { RuleScope } from '../../domain/tool/denial.js';
import { type ModelUse, ruleOfUse, useLabel } from '../../domain/tool/model-use.js';
import type { ApprovalAnswer } from '../../domain/tool/permission.js';

/** Why a call runs that was allowed, for the user. @param changed whether they have changed it @param uses what they were asked about, where it was that */
export function whyAllowed(answer: Extract<ApprovalAnswer, { type: 'allow' | 'always' }>, changed: boolean, uses?: ModelUse): string {
  if (answer.type === 'allow') return changed ? t('You changed it and allowed it.') : t('You allowed it.');
  if (uses !== undefined && answer.rules.includes(ruleOfUse(uses))) return t('You allowed it. {0}.', useLabel(uses));
  const rules = answer.rules.join(', ');
  return changed ? changedAndAdded(rules, answer.scope) : allowedAndAdded(rules, answer.scope);
}

function changedAndAdded(rules: string, scope: RuleScope): string {
  switch (scope) {
    case 'session':
      return t('You changed it, allowed it, and added {0} for this chat.', rules);
    case 'local':
      return t('You changed it, allowed it, and added {0} for this workspace, only for you.', rules);
    case 'workspace':
      return t('You changed it, allowed it, and added {0} for this workspace.', rules);
    case 'user':
      return t('You changed it, allowed it, and added {0} for all workspaces.', rules);
    default:
      return assertNever(scope);
  }
}

function allowedAndAdded(rules: string, scope: RuleScope): string {
  switch (scope) {
    case 'session':
      return t('You allowed it and added {0} for this chat.', rules);
    case 'local':
      return t('You allowed it and added {0} for this workspace, only for you.', rules);
    case 'workspace':
      return t('You allowed it and added {0} for this workspace.', rules);
    case 'user':
      return t('You allowed it and added {0} for all workspaces.', rules);
    default:
      return assertNever(scope);
  }
}
