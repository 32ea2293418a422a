import { type Fields, type Note, booleanOf, isFields, numberOf, parsedText, plainName } from './fields.js';
import { unmentioned } from './reshape-reading.js';

/** Other names of what one edit has, as other tools have them. */
const EDIT_FIELDS: Readonly<Record<string, 'old_string' | 'new_string' | 'replace_all'>> = {
  oldstring: 'old_string',
  oldstr: 'old_string',
  oldtext: 'old_string',
  search: 'old_string',
  find: 'old_string',
  newstring: 'new_string',
  newstr: 'new_string',
  newtext: 'new_string',
  replace: 'new_string',
  replacement: 'new_string',
  replacewith: 'new_string',
  replaceall: 'replace_all',
  allowmultiple: 'replace_all',
};

/**
 * The arguments of `edit` as a list of edits. Models also write the only edit without a list, one edit instead of a list,
 * and SEARCH/REPLACE blocks as Aider and Cline have them.
 */
export function reshapeEdit(given: Fields, note: Note): Fields {
  const fields = unmentioned(given, note);
  const { edits, diff, ...rest } = fields;
  const blocks = typeof diff === 'string' && edits === undefined ? searchReplaceBlocks(diff) : undefined;
  if (blocks !== undefined) return { ...rest, edits: blocks };
  const own = Object.entries(rest).filter(([name]) => isEditField(name));
  const others = Object.fromEntries(Object.entries(diff === undefined ? rest : { ...rest, diff }).filter(([name]) => !isEditField(name)));
  const list = isFields(edits) ? [edits] : edits;
  if (list !== undefined && !(Array.isArray(list) && list.length === 0)) {
    const named: unknown = Array.isArray(list) ? list.map((edit: unknown) => (isFields(edit) ? editOf(edit) : edit)) : list;
    // An edit beside the list is not known to be one more: the schema refuses it.
    return { ...rest, ...(diff === undefined ? {} : { diff }), edits: named };
  }
  // With nothing given, the schema says what one edit must have.
  return { ...others, edits: [{ old_string: undefined, new_string: undefined, ...editOf(Object.fromEntries(own)) }] };
}

function isEditField(name: string): boolean {
  return Object.hasOwn(EDIT_FIELDS, plainName(name)) || plainName(name) === 'expectedreplacements';
}

/** One edit under the names of the schema. */
function editOf(edit: Fields): Fields {
  const named = new Map<string, unknown>();
  for (const [name, value] of Object.entries(edit)) {
    const field = EDIT_FIELDS[plainName(name)];
    // Two names with different values: both stay, and the schema refuses the one that it does not know.
    named.set(field === undefined || (named.has(field) && named.get(field) !== value) ? name : field, value);
  }
  return expected(Object.fromEntries(named));
}

/**
 * How many places a text is expected at: all of them are replaced, and when they are not as many, none is (google-gemini/gemini-cli,
 * docs/tools/file-system.md, `replace`; packages/core/src/tools/edit.ts). One is the rule here anyway.
 */
function expected(edit: Fields): Fields {
  const name = Object.keys(edit).find((key) => plainName(key) === 'expectedreplacements');
  if (name === undefined) return edit;
  const { [name]: given, ...rest } = edit;
  const times = numberOf(given);
  if (times === 1 && booleanOf(rest['replace_all']) !== true) return rest;
  return { ...rest, expected_replacements: times ?? given };
}

/** One block: its marks are those of Aider (`<<<<<<< SEARCH`) and of Cline (`------- SEARCH`). */
const BLOCK =
  /^(?:<{5,9}|-{5,9}) ?SEARCH>?[ \t]*\r?\n(?::start_line:[^\n]*\n)?(?::end_line:[^\n]*\n)?(?:-{5,9}[ \t]*\r?\n)?([^]*?)^={5,9}[ \t]*\r?\n([^]*?)^(?:>{5,9}|\+{5,9}) ?REPLACE[ \t]*$/gm;

/** The edits of a text of nothing but SEARCH/REPLACE blocks; `undefined` for any other. */
function searchReplaceBlocks(text: string): readonly Fields[] | undefined {
  if (parsedText(text) !== text) return undefined;
  const edits = [...text.matchAll(BLOCK)].map(([, old_string = '', new_string = '']) => ({ old_string, new_string }));
  return edits.length > 0 &&
    text
      .replace(BLOCK, '')
      .replace(/^```\w*$/gm, '')
      .trim() === ''
    ? edits
    : undefined;
}
