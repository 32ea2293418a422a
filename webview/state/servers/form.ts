import type { McpField, McpFieldValue } from '../../../src/domain/mcp/request.js';

/** Value of a form field while it is being filled in: typed text, a checkbox, or choices. */
export type Draft = string | boolean | readonly string[];

/** Words that fields for secrets have in their names. */
const SECRET = /\b(?:pass ?(?:words?|wd|phrase|code)|pwd|tokens?|secrets?|api ?keys?|access ?keys?|private ?keys?|credentials?|pins?|otp|cvv|cvc)\b/i;

/** Initial value of a field: its default. */
export function firstDraft(field: McpField): Draft {
  switch (field.type) {
    case 'boolean':
      return field.default ?? false;
    case 'choices':
      return field.default ?? [];
    case 'number':
      return field.default === undefined ? '' : String(field.default);
    default:
      return field.default ?? '';
  }
}

/** The value of a field; `undefined` while it is empty. Text that is no number stays text, which is not a value of its field. */
export function valueOf(field: McpField, draft: Draft): McpFieldValue | undefined {
  if (typeof draft === 'string') {
    if (draft === '' || (field.type === 'number' && draft.trim() === '')) return undefined;
    const value = Number(draft);
    return field.type === 'number' && !Number.isNaN(value) ? value : draft;
  }
  if (typeof draft === 'object' && draft.length === 0 && !field.required) return undefined;
  return draft;
}

/** Whether a field seems to be for a password or the like, which servers must not ask for in a form. */
export function looksSecret({ name, title = '' }: Pick<McpField, 'name' | 'title'>): boolean {
  const words = `${name} ${title}`.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ');
  return SECRET.test(words);
}
