import { present } from '../../domain/present.js';
import { ToolInputError } from '../../domain/errors.js';
import { booleanOf, type Fields, isFields, type Note, numberOf, parsedText, plainName, withField } from './fields.js';
import { unmentioned } from './reshape-reading.js';

/** Time limits below this are taken for seconds, the unit of other tools. */
const LEAST_MILLISECONDS = 1_000;

/** The command of a `bash` call as a list of words (Codex), its time limit in other units, and other switches for the same. */
export function reshapeBash(fields: Fields, note: Note): Fields {
  const { timeout, timeout_s: seconds, ...rest } = fields;
  const inSeconds = withTimeout(rest, { value: numberOf(seconds), from: 'timeout in seconds', unit: 1_000 }, note);
  const plain = numberOf(timeout);
  const unit = plain !== undefined && plain < LEAST_MILLISECONDS ? 1_000 : 1;
  const limited = withTimeout(inSeconds, { value: plain, from: 'timeout', unit }, note);
  return Object.entries(limited).reduce<Fields>((done, [name, value]) => {
    if (name === 'command') return { ...done, command: commandText(value) };
    if (name === 'timeout_ms' && (numberOf(value) ?? 1) <= 0) return without(done, name);
    const field = switchOf(plainName(name), value);
    if (field === undefined) return done;
    note(`${name} was taken as ${field}: true`);
    return withField(without(done, name), field, { value: true, from: name });
  }, limited);
}

interface Timeout {
  readonly value: number | undefined;
  readonly from: string;
  readonly unit: number;
}

function withTimeout(fields: Fields, { value, from, unit }: Timeout, note: Note): Fields {
  // 0 stands for no limit of the model's own.
  if (value === undefined || value <= 0) return fields;
  const limit = Math.round(value * unit);
  note(`${from} ${value} was taken as timeout_ms ${limit}`);
  return withField(fields, 'timeout_ms', { value: limit, from });
}

/** Codex's `sandbox_permissions`, Copilot's `mode` and Cursor's `block_until_ms`. */
function switchOf(name: string, value: unknown): 'unsandboxed' | 'background' | undefined {
  if (name === 'sandboxpermissions' && value === 'require_escalated') return 'unsandboxed';
  if ((name === 'mode' && value === 'async') || (name === 'blockuntilms' && numberOf(value) === 0)) return 'background';
  return undefined;
}

/**
 * A command as one line. Codex writes a shell with its script, `["bash", "-lc", "npm test"]`, of which the script is what
 * is meant; any other list of words is quoted.
 */
function commandText(command: unknown): unknown {
  const words: unknown = parsedText(command);
  if (!Array.isArray(words) || words.length === 0 || !words.every((word) => typeof word === 'string')) return command;
  const [program = '', option = '', script] = words;
  if (words.length === 1) return program;
  if (words.length === 3 && script !== undefined && /^(?:\/(?:usr\/)?bin\/)?(?:ba)?sh$/.test(program) && /^-l?c$/.test(option)) return script;
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/** Ids of jobs as numbers, and what is asked of a job where it is not said: its output. */
export function reshapeJobs(fields: Fields): Fields {
  const { id, action } = fields;
  const number = numberOf(id);
  const name = number === undefined ? id : `job-${number}`;
  return { ...fields, ...(id === undefined ? {} : { id: name }), action: actionOf(action) ?? (id === undefined ? 'list' : 'output') };
}

function actionOf(action: unknown): unknown {
  if (typeof action !== 'string') return action;
  if (/^(?:status|read|get|poll)$/i.test(action)) return 'output';
  return /^(?:stop|terminate)$/i.test(action) ? 'kill' : action;
}

/** A question in a list of its own, and choices as objects with a label (Claude Code, Gemini CLI, Roo Code). */
export function reshapeAsk(fields: Fields): Fields {
  const { questions, ...rest } = fields;
  const list = parsedText(questions);
  if (!Array.isArray(list)) return withChoices(fields);
  const [only, ...others] = list as readonly unknown[];
  if (others.length > 0) throw new ToolInputError(`ask has one question at a time, not ${list.length}; nothing was asked. Ask the most important one.`);
  if (!isFields(only)) return fields;
  const { options, multiSelect, ...question } = only;
  return withChoices({ ...rest, ...question, ...present({ choices: options, multiple: multiSelect }) });
}

function withChoices(fields: Fields): Fields {
  const choices = parsedText(fields['choices']);
  if (!Array.isArray(choices)) return fields;
  return {
    ...fields,
    choices: choices.map((choice: unknown) => (isFields(choice) ? (choice['label'] ?? choice['text'] ?? choice['value'] ?? choice) : choice)),
  };
}

/** Paths in a list (Cursor, Copilot): one, as problems are listed for one place. */
export function reshapeDiagnostics(fields: Fields): Fields {
  const { paths, ...rest } = fields;
  const list = parsedText(paths);
  if (!Array.isArray(list)) return fields;
  if (list.length > 1) throw new ToolInputError('diagnostics takes one path; call it for each file, for their folder, or without a path.');
  return list.length === 0 ? rest : withField(rest, 'path', { value: list[0], from: 'paths' });
}

/** Addresses in a list (Copilot), or in the words of a prompt (Gemini CLI). */
export function reshapeFetch(fields: Fields): Fields {
  const key = Object.keys(fields).find((name) => plainName(name) === 'urls');
  const list = parsedText(key === undefined ? undefined : fields[key]);
  if (Array.isArray(list) && key !== undefined) {
    if (list.length > 1) throw new ToolInputError('fetch gets one page; call it for each address.');
    return list.length === 0 ? fields : withField(without(fields, key), 'url', { value: list[0], from: key });
  }
  const { url, prompt } = fields;
  const [found, ...others] = url === undefined && typeof prompt === 'string' ? (prompt.match(/https?:\/\/[^\s"'<>`]+/g) ?? []) : [];
  return found === undefined || others.length > 0 ? fields : { ...fields, url: found.replace(/[).,;]+$/, '') };
}

function without(fields: Fields, left: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== left));
}

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
    return { ...rest, ...present({ diff }), edits: named };
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
const BLOCK = new RegExp(
  String.raw`^(?:<{5,9}|-{5,9}) ?SEARCH>?[ \t]*\r?\n(?::start_line:[^\n]*\n)?(?::end_line:[^\n]*\n)?(?:-{5,9}[ \t]*\r?\n)?([^]*?)` +
    String.raw`^={5,9}[ \t]*\r?\n([^]*?)` +
    String.raw`^(?:>{5,9}|\+{5,9}) ?REPLACE[ \t]*$`,
  'gm',
);

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
