import type { McpElicitation, McpField } from '../../domain/mcp/request.js';

/** Characters of what a server says, and of a title or description of a field. */
const MAX_MESSAGE = 4_000;
const MAX_WORDS = 1_000;
/** Fields that somebody can be expected to fill in, and options among which somebody can be expected to choose. */
const MAX_FIELDS = 50;
const MAX_OPTIONS = 500;
/** Characters of the name of a field, and of a value to choose. */
const MAX_NAME = 200;

/** Why the user is not asked for something, for the server's author; nothing is cut, because all of it is to be read. */
export function tooLong(asked: McpElicitation): string | undefined {
  if (asked.message.length > MAX_MESSAGE) return `The message is longer than ${MAX_MESSAGE} characters.`;
  if (asked.mode === 'url') return undefined;
  if (asked.fields.length > MAX_FIELDS) return `The form has more than ${MAX_FIELDS} fields.`;
  const field = asked.fields.find(isTooLong);
  return field === undefined ? undefined : `The field "${field.name.slice(0, MAX_NAME)}" has texts or choices that are too long.`;
}

function isTooLong(field: McpField): boolean {
  const { name, title = '', description = '' } = field;
  if (name.length > MAX_NAME || title.length > MAX_WORDS || description.length > MAX_WORDS) return true;
  if (field.type !== 'choice' && field.type !== 'choices') return field.type === 'text' && (field.default?.length ?? 0) > MAX_MESSAGE;
  return field.options.length > MAX_OPTIONS || field.options.some(({ value, title: words }) => value.length > MAX_NAME || words.length > MAX_WORDS);
}
