import type { McpField, McpFieldValue } from '../domain/mcp/request.js';
import { boundedPattern } from '../text/bounded-pattern.js';
import { formatNumber, t } from './l10n.js';
import { MAX_FEEDBACK_LENGTH } from './limits.js';

type TextField = Extract<McpField, { type: 'text' }>;
type NumberField = Extract<McpField, { type: 'number' }>;
type ChoicesField = Extract<McpField, { type: 'choices' }>;
type Format = NonNullable<TextField['format']>;

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** RFC 3339. */
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Validates the value of a form field. Returns an error message; empty when it is valid. `undefined` stands for an empty field.
 * The page says so next to the blank, and the host checks again what the page sends.
 */
export function fieldProblem(field: McpField, value: McpFieldValue | undefined): string {
  if (value === undefined) return field.required ? t('This field is required.') : '';
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : t('Enter text.');
    case 'number':
      return typeof value === 'number' ? numberProblem(field, value) : t('Enter a number.');
    case 'boolean':
      return typeof value === 'boolean' ? '' : t('Choose one of the options.');
    case 'choice':
      return field.options.some((option) => option.value === value) ? '' : t('Choose one of the options.');
    case 'choices':
      return choicesProblem(field, value);
  }
}

/** Whether values are a complete answer to a form: those of its blanks, all that are required, each as its blank wants it. */
export function isAnswer(fields: readonly McpField[], values: Readonly<Record<string, McpFieldValue>>): boolean {
  const names = new Set(fields.map(({ name }) => name));
  const known = Object.keys(values).every((name) => names.has(name));
  return known && fields.every((field) => fieldProblem(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined) === '');
}

function textProblem({ format, minLength, maxLength = MAX_FEEDBACK_LENGTH, pattern }: TextField, value: string): string {
  // JSON Schema counts code points.
  const length = Array.from(value).length;
  if (minLength !== undefined && length < minLength) return t('Enter at least {0} characters.', formatNumber(minLength));
  if (length > maxLength) return t('Enter at most {0} characters.', formatNumber(maxLength));
  if (format !== undefined && !hasFormat(format, value)) return formatProblem(format);
  const matches = pattern === undefined ? undefined : boundedPattern(pattern)?.matches(value);
  return matches === false ? t('The value must match this pattern: {0}', pattern ?? '') : '';
}

function hasFormat(format: Format, value: string): boolean {
  switch (format) {
    case 'email':
      return EMAIL.test(value);
    case 'uri':
      return SCHEME.test(value) && URL.canParse(value);
    case 'date':
      return isDate(value);
    case 'date-time':
      return isDate(DATE_TIME.exec(value)?.[1] ?? '');
  }
}

function isDate(value: string): boolean {
  if (!DATE.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  // A day that a month does not have becomes one of the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function formatProblem(format: Format): string {
  switch (format) {
    case 'email':
      return t('Enter an email address, such as name@example.com.');
    case 'uri':
      return t('Enter a complete URL, such as https://example.com.');
    case 'date':
      return t('Enter a date, such as 2026-01-31.');
    case 'date-time':
      return t('Enter a date and time with a time zone, such as 2026-01-31T09:30:00Z.');
  }
}

function numberProblem({ integer, minimum, maximum }: NumberField, value: number): string {
  if (!Number.isFinite(value)) return t('Enter a number.');
  if (integer && !Number.isInteger(value)) return t('Enter a whole number.');
  if (minimum !== undefined && value < minimum) return t('Enter a number of at least {0}.', formatNumber(minimum));
  return maximum !== undefined && value > maximum ? t('Enter a number of at most {0}.', formatNumber(maximum)) : '';
}

function choicesProblem({ options, required, minItems = required ? 1 : 0, maxItems }: ChoicesField, value: McpFieldValue): string {
  if (typeof value !== 'object' || !value.every((each) => options.some((option) => option.value === each))) return t('Choose among the options.');
  if (value.length < minItems) return minItems === 1 ? t('Choose at least one.') : t('Choose at least {0}.', formatNumber(minItems));
  return maxItems !== undefined && value.length > maxItems ? t('Choose at most {0}.', formatNumber(maxItems)) : '';
}
