import { ToolInputError } from '../../domain/errors.js';
import { type Fields, type Note, isFields, numberOf, parsedText, plainName, withField } from './fields.js';

/** Milliseconds below which nobody means milliseconds: other tools count seconds. */
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
  return withChoices({
    ...rest,
    ...question,
    ...(options === undefined ? {} : { choices: options }),
    ...(multiSelect === undefined ? {} : { multiple: multiSelect }),
  });
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
