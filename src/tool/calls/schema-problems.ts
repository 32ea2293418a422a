import type * as z from 'zod/mini';
import type { ToolSpec } from '../../domain/tool/tool.js';

type Issue = z.core.$ZodIssue;

/** Says what is wrong with the arguments of a call so that a model can put it right at once. */
export function schemaProblems(spec: ToolSpec, issues: readonly Issue[]): string {
  const fields = Object.keys(spec.parameters['properties'] ?? {});
  const lines = issues.map((issue) => `- ${problem(issue, fields)}`);
  return [`The arguments of ${spec.name} do not fit its schema; nothing was done.`, ...lines].join('\n');
}

function problem(issue: Issue, fields: readonly string[]): string {
  const place = issue.path.length === 0 ? 'the arguments' : issue.path.join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown: ${issue.keys.join(', ')}; the fields are ${fields.join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined
        ? `${place}: missing, must be ${article(issue.expected)}`
        : `${place}: must be ${article(issue.expected)}, not ${describe(issue.input)}${unquote(issue.expected, issue.input)}`;
    case 'invalid_value':
      return `${place}: must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `${place}: ${issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`}`;
    case 'too_big':
      return `${place}: must be at most ${issue.maximum}`;
    default:
      return `${place}: ${issue.message}`;
  }
}

/**
 * A value written as a string is a frequent mistake. It is explained, never converted: what a string means is not ours
 * to guess.
 */
function unquote(expected: string, input: unknown): string {
  if (typeof input !== 'string') return '';
  if (['int', 'number', 'boolean'].includes(expected)) return '; write it without quotes';
  return ['array', 'object'].includes(expected) ? '; send the value itself, not JSON text of it' : '';
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function describe(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  return typeof input === 'number' ? String(input) : article(typeof input);
}
