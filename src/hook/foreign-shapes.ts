import { present } from '../domain/present.js';
import type { ServersTool } from '../domain/tool/tool.js';
import { type JsonObject, isObject } from './plain-json.js';

/** A call of a tool under the name, and with the arguments, that some program has for it. */
export interface NamedCall {
  readonly name: string;
  readonly input: unknown;
  /** Server and tool by their full names; absent where not known. */
  readonly named?: ServersTool;
}

/** Form of a Gnomon tool in another program: its name and arguments. */
export interface ToolShape {
  /** All names of tools there that do what this one does. */
  readonly names: readonly string[];
  /** A call as it is made there. */
  to(input: JsonObject): NamedCall;
  /** Arguments from there as Gnomon's. What cannot be read is left as it is, for the tool to refuse. @param original the arguments that a hook changed */
  from(input: JsonObject, original: JsonObject): unknown;
}

/**
 * A tool whose fields have other names at most.
 * @param fields Gnomon's names to those of the other program
 * @param own fields that only Gnomon has: a hook that writes the arguments anew does not know them, so they stay
 */
export function renamed(name: string, fields: Readonly<Record<string, string>> = {}, own: readonly string[] = []): ToolShape {
  const back = new Map(Object.entries(fields).map(([ours, theirs]) => [theirs, ours]));
  return {
    names: [name],
    to: (input) => ({ name, input: withNames(input, new Map(Object.entries(fields))) }),
    from: (input, original) => ({
      ...Object.fromEntries(own.flatMap((field) => (original[field] === undefined ? [] : [[field, original[field]]]))),
      ...withNames(input, back),
    }),
  };
}

/** Field names of a program for the parts of an edit. */
interface EditNames {
  readonly single: string;
  readonly several: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly all: string;
  /** The list of replacements of a call with several, and whether each names the file. */
  readonly list: string;
  readonly pathInEach?: true;
}

/** The tool `edit`, which makes several replacements in one call where others have a tool for one and another for several. */
export function edits(names: EditNames): ToolShape {
  const one = new Map([
    ['old_string', names.before],
    ['new_string', names.after],
    ['replace_all', names.all],
  ]);
  const back = new Map([...one].map(([ours, theirs]) => [theirs, ours]));
  return {
    names: [names.single, names.several],
    to: ({ file_path, edits: list, ...rest }) => {
      if (!Array.isArray(list) || !list.every(isObject))
        return { name: names.single, input: withNames({ file_path, edits: list, ...rest }, new Map([['file_path', names.path]])) };
      const path = { [names.path]: file_path };
      const [only, ...others] = list.map((each) => withNames(each, one));
      if (only !== undefined && others.length === 0) return { name: names.single, input: { ...path, ...only, ...rest } };
      const each = list.map((edit) => ({ ...(names.pathInEach === true ? path : {}), ...withNames(edit, one) }));
      return { name: names.several, input: { ...(names.pathInEach === true ? {} : path), [names.list]: each, ...rest } };
    },
    from: (input) => {
      const list = input[names.list];
      const path = input[names.path] ?? (Array.isArray(list) && isObject(list[0]) ? list[0][names.path] : undefined);
      const rest = without(without(input, names.path), names.list);
      if (!Array.isArray(list)) return { file_path: path, edits: [withNames(rest, back)] };
      return { file_path: path, edits: list.map((each: unknown) => (isObject(each) ? withNames(without(each, names.path), back) : each)), ...rest };
    },
  };
}

/** `todo` as the `TodoWrite` of Claude Code. */
export const TODOS: ToolShape = {
  names: ['TodoWrite'],
  to: ({ todos }) => ({
    name: 'TodoWrite',
    input: { todos: listOf(todos, ({ text, status }) => ({ content: text, status: status === 'done' ? 'completed' : status, activeForm: text })) },
  }),
  from: ({ todos, ...rest }) => ({
    todos: listOf(todos, ({ content, status }) => ({ text: content, status: status === 'completed' ? 'done' : status })),
    ...rest,
  }),
};

/** `ask` as the `AskUserQuestion` of Claude Code, which can have several questions. */
export const QUESTIONS: ToolShape = {
  names: ['AskUserQuestion'],
  to: ({ question, choices, multiple }) => {
    const options = Array.isArray(choices) ? choices.map((label: unknown) => ({ label, description: '' })) : [];
    return { name: 'AskUserQuestion', input: { questions: [{ question, header: '', options, multiSelect: multiple === true }] } };
  },
  from: (input) => {
    const [only, ...others] = Array.isArray(input['questions']) ? (input['questions'] as readonly unknown[]) : [];
    if (!isObject(only) || others.length > 0) return input;
    const { question, options, multiSelect } = only;
    const labels = listOf(options, ({ label }) => label);
    return { question, ...(Array.isArray(labels) && labels.length > 0 ? { choices: labels } : {}), ...(multiSelect === true ? { multiple: true } : {}) };
  },
};

/** `jobs` as the tools of Claude Code for the output of a command in the background and for its end. It has none for their list. */
export const JOBS: ToolShape = {
  names: ['BashOutput', 'KillShell', 'KillBash', 'TaskOutput', 'TaskStop'],
  to: (input) => {
    const { action, id, ...rest } = input;
    if (action === 'output') return { name: 'BashOutput', input: { bash_id: id, ...rest } };
    return action === 'kill' ? { name: 'KillShell', input: { shell_id: id, ...rest } } : { name: 'jobs', input };
  },
  from: (input, { action }) => {
    const { bash_id, shell_id, ...rest } = input;
    const id = bash_id ?? shell_id;
    return { ...present({ action, id }), ...rest };
  },
};

/** A tool that has another name, for the program that the shape is for, and other arguments only as far as it says. */
export function named(name: string, shape: ToolShape): ToolShape {
  return { names: [name], to: (input) => ({ name, input: shape.to(input).input }), from: (input, original) => shape.from(input, original) };
}

function withNames(input: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [names.get(field) ?? field, value]));
}

function without(input: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([each]) => each !== name));
}

function listOf(value: unknown, each: (item: JsonObject) => unknown): unknown {
  return Array.isArray(value) ? value.map((item: unknown) => (isObject(item) ? each(item) : item)) : value;
}
