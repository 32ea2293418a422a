import type * as z from 'zod/mini';

/** What is wrong with a value, as the end of a sentence, and where: empty for the value itself. */
export function problemOf(issues: readonly z.core.$ZodIssue[]): { readonly problem: string; readonly path: string } {
  const [first] = issues;
  if (first === undefined) return { problem: 'it does not fit', path: '' };
  const path = first.path.join('.');
  const place = path === '' ? 'it' : `“${path}”`;
  switch (first.code) {
    case 'unrecognized_keys':
      return { problem: `there is no ${first.keys.map((key) => `“${key}”`).join(', ')}${path === '' ? '' : ` in ${place}`}`, path };
    case 'invalid_type':
      return { problem: `${place} has to be ${first.expected}`, path };
    case 'invalid_value':
      return { problem: `${place} has to be one of ${first.values.map(String).join(', ')}`, path };
    default:
      return { problem: `${place} is not what it has to be`, path };
  }
}
