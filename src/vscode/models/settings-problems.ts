import type * as z from 'zod/mini';

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
      return `there is no field ${issue.keys.join(', ')}.`;
    case 'invalid_type':
      return issue.input === undefined ? 'is missing.' : `must be ${nameOfType(issue.expected)}.`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty.' : `must be at least ${issue.minimum}.`;
    case 'too_big':
      return `must be at most ${issue.maximum}.`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}.`;
    default:
      return `${issue.message}.`;
  }
}

function nameOfType(type: string): string {
  if (type === 'int') return 'a whole number';
  if (type === 'boolean') return 'true or false';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
