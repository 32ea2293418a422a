import type * as z from 'zod/mini';
import { t } from '../../domain/l10n.js';

/** What of a setting can be used, and what is wrong with the rest, each in a sentence that names entry and field. */
export interface Checked<T> {
  readonly value: T;
  readonly problems: readonly string[];
}

/** What is wrong with an entry of a setting, a sentence for each field. */
export function problemsOf(place: string, issues: readonly z.core.$ZodIssue[]): readonly string[] {
  return issues.map((issue) => `${[place, ...issue.path.map(String)].join('.')}: ${sentence(issue)}`);
}

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return t('Unknown property: {0}.', issue.keys.join(', '));
    case 'invalid_type':
      return issue.input === undefined ? t('This value is required.') : wrongType(issue.expected);
    case 'too_small':
      return issue.origin === 'string' ? t('The value must not be empty.') : t('The value must be at least {0}.', String(issue.minimum));
    case 'too_big':
      return t('The value must be at most {0}.', String(issue.maximum));
    case 'invalid_value':
      return t('The value must be one of: {0}.', issue.values.map(String).join(', '));
    default:
      return `${issue.message}.`;
  }
}

function wrongType(type: string): string {
  if (type === 'int') return t('The value must be a whole number.');
  if (type === 'boolean') return t('The value must be true or false.');
  return /^[aeiou]/.test(type) ? t('The value must be an {0}.', type) : t('The value must be a {0}.', type);
}
