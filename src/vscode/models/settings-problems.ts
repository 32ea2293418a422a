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
      return t('there is no field {0}.', issue.keys.join(', '));
    case 'invalid_type':
      return issue.input === undefined ? t('is missing.') : wrongType(issue.expected);
    case 'too_small':
      return issue.origin === 'string' ? t('must not be empty.') : t('must be at least {0}.', String(issue.minimum));
    case 'too_big':
      return t('must be at most {0}.', String(issue.maximum));
    case 'invalid_value':
      return t('must be one of {0}.', issue.values.map(String).join(', '));
    default:
      return `${issue.message}.`;
  }
}

function wrongType(type: string): string {
  if (type === 'int') return t('must be a whole number.');
  if (type === 'boolean') return t('must be true or false.');
  return /^[aeiou]/.test(type) ? t('must be an {0}.', type) : t('must be a {0}.', type);
}
