import type { TodoItem } from '../domain/todo.js';

const STATUSES: readonly TodoItem['status'][] = ['pending', 'in_progress', 'done'];

/** Reads the plan out of raw arguments of a `todo` call; `undefined` when they hold none. */
export function readTodos(raw: string): readonly TodoItem[] | undefined {
  let args: unknown;
  try {
    args = JSON.parse(raw);
  } catch {
    // Arguments that were cut off hold no plan.
    return undefined;
  }
  const list: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'todos') : undefined;
  return Array.isArray(list) ? list.flatMap(todoItem) : undefined;
}

function todoItem(value: unknown): readonly TodoItem[] {
  if (typeof value !== 'object' || value === null) return [];
  const text: unknown = Reflect.get(value, 'text');
  const status = STATUSES.find((known) => known === Reflect.get(value, 'status'));
  return typeof text === 'string' && status !== undefined ? [{ text, status }] : [];
}
