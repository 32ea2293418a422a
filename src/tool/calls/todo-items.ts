import * as z from 'zod/mini';
import type { TodoItem } from '../../domain/tool/interaction.js';

/** The most steps of a plan. */
const MAX_TODOS = 50;
/** Characters of one step. */
const MAX_TODO_CHARACTERS = 500;
/** How a step may stand. */
export const TODO_STATUSES = ['pending', 'in_progress', 'done'] as const satisfies readonly TodoItem['status'][];

const text = z.string().check(
  z.refine((value) => value.trim() !== '', 'must not be empty'),
  z.refine((value) => value.length <= MAX_TODO_CHARACTERS, `must be at most ${MAX_TODO_CHARACTERS} characters`),
);

/** The rules for the arguments of a `todo` call: always the whole plan. The model is not told about limits that it hardly meets. */
export const todoSchema = z.strictObject({
  todos: z
    .array(z.strictObject({ text, status: z.enum(TODO_STATUSES) }))
    .check(z.refine((list) => list.length <= MAX_TODOS, `must be at most ${MAX_TODOS} steps`)),
});

/** Parses the plan in raw arguments of a `todo` call; `undefined` when they are invalid. */
export function readTodos(raw: string): readonly TodoItem[] | undefined {
  let args: unknown;
  try {
    args = JSON.parse(raw);
  } catch {
    // Arguments that were cut off contain no plan.
    return undefined;
  }
  return z.safeParse(todoSchema, args).data?.todos;
}
