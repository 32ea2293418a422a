import * as z from 'zod/mini';
import { ToolInputError } from '../../domain/errors.js';
import type { TodoItem } from '../../domain/tool/interaction.js';
import { type Fields, type Note, type OtherForms, isFields, parsedText, plainName } from './fields.js';
import { lenient } from './lenient.js';

/** The most steps of a plan. */
const MAX_TODOS = 50;
/** Characters of one step. */
const MAX_TODO_CHARACTERS = 500;
/** How a step may stand. */
const TODO_STATUSES = ['pending', 'in_progress', 'done'] as const satisfies readonly TodoItem['status'][];

const text = z.string().check(
  z.refine((value) => value.trim() !== '', 'must not be empty'),
  z.refine((value) => value.length <= MAX_TODO_CHARACTERS, `must be at most ${MAX_TODO_CHARACTERS} characters`),
);

/** The rules for the arguments of a `todo` call: always the whole plan. The schema for the model omits limits that it hardly reaches. */
export const todoSchema = z.strictObject({
  todos: z
    .array(z.strictObject({ text, status: z.enum(TODO_STATUSES) }))
    .check(z.refine((list) => list.length <= MAX_TODOS, `must be at most ${MAX_TODOS} steps`)),
});

/** The same rules as the model sees them. */
export const TODO_PARAMETERS = {
  type: 'object',
  properties: {
    todos: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string', description: 'What is done' }, status: { type: 'string', enum: [...TODO_STATUSES] } },
        required: ['text', 'status'],
        additionalProperties: false,
      },
    },
  },
  required: ['todos'],
  additionalProperties: false,
};

/** Names of what a step is, best first, and of how it stands, as Claude Code, Codex, Copilot and Gemini CLI have them. */
const TEXT_NAMES = ['text', 'content', 'step', 'title', 'task', 'description', 'name'];
const STATUS_NAMES = ['status', 'state'];
/** What models write beside them; it changes nothing about the plan. */
const OTHER_NAMES: ReadonlySet<string> = new Set(['activeform', 'id', 'priority', 'notes', 'dependencies']);
const STATUSES: Readonly<Record<string, TodoItem['status'] | 'cancelled'>> = {
  completed: 'done',
  complete: 'done',
  done: 'done',
  pending: 'pending',
  notstarted: 'pending',
  todo: 'pending',
  open: 'pending',
  blocked: 'pending',
  inprogress: 'in_progress',
  active: 'in_progress',
  cancelled: 'cancelled',
  canceled: 'cancelled',
};

/** How models write a plan otherwise. */
export const TODO_FORMS: OtherForms = {
  names: Object.fromEntries(['todolist', 'todoitems', 'plan', 'items', 'tasks', 'steps', 'list'].map((name) => [name, 'todos'])),
  idle: { merge: [false], operation: ['write'] },
  bareList: 'todos',
  reshape: reshapeTodo,
};

/** The steps of a plan as models write them: with other names, as JSON text, as a list of texts, or as Markdown with boxes (Roo Code). */
function reshapeTodo(fields: Fields, note: Note): Fields {
  const { todos } = fields;
  const parsed = parsedText(todos);
  const list: unknown = typeof parsed === 'string' ? (boxes(parsed) ?? parsed) : parsed;
  if (!Array.isArray(list)) return fields;
  const items = list.map(itemOf);
  const kept = items.filter((item) => !(isFields(item) && item['status'] === 'cancelled'));
  if (kept.length < items.length) note('cancelled steps were left out');
  return { ...fields, todos: kept };
}

function itemOf(item: unknown): unknown {
  if (typeof item === 'string') return { text: item, status: 'pending' };
  if (!isFields(item)) return item;
  const entries = Object.entries(item);
  const what = firstOf(entries, TEXT_NAMES);
  const status = firstOf(entries, STATUS_NAMES);
  const others = entries.filter(([name]) => ![...TEXT_NAMES, ...STATUS_NAMES].includes(plainName(name)) && !OTHER_NAMES.has(plainName(name)));
  return { ...(what === undefined ? {} : { text: what[1] }), ...(status === undefined ? {} : { status: statusOf(status[1]) }), ...Object.fromEntries(others) };
}

function firstOf(entries: readonly (readonly [string, unknown])[], names: readonly string[]): readonly [string, unknown] | undefined {
  for (const wanted of names) {
    const found = entries.find(([name, value]) => plainName(name) === wanted && value !== null && value !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function statusOf(status: unknown): unknown {
  const plain = typeof status === 'string' ? plainName(status) : '';
  return Object.hasOwn(STATUSES, plain) ? STATUSES[plain] : status;
}

/** The steps of a Markdown list in which every line has a box; `undefined` for any other text. */
function boxes(markdown: string): readonly Fields[] | undefined {
  const lines = markdown.split('\n').filter((line) => line.trim() !== '');
  const items = lines.flatMap((line) => {
    const [, box = '', what] = /^\s*(?:[-*] |\d+\. )?\[([ xX~-])\]\s+(.+?)\s*$/.exec(line) ?? [];
    return what === undefined ? [] : [{ text: what, status: box === ' ' ? 'pending' : /x/i.test(box) ? 'done' : 'in_progress' }];
  });
  return items.length > 0 && items.length === lines.length ? items : undefined;
}

/** Reads the plan in the arguments of a `todo` call by the rules of the call itself; `undefined` when they are invalid. */
export function readTodos(args: unknown): readonly TodoItem[] | undefined {
  try {
    return z.safeParse(todoSchema, lenient(args, TODO_PARAMETERS, TODO_FORMS).args).data?.todos;
  } catch (error) {
    if (error instanceof ToolInputError) return undefined;
    throw error;
  }
}
