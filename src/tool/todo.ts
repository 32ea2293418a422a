import type * as z from 'zod/mini';
import type { TodoItem } from '../domain/tool/interaction.js';
import type { Tool } from '../domain/tool/tool.js';
import { defineTool, textResult } from './calls/define.js';
import { count } from '../text/show.js';
import { TODO_FORMS, TODO_PARAMETERS, todoSchema } from './calls/todo-items.js';

const spec = { name: 'todo', description: 'Show the user your plan for longer work: always all steps.', parameters: TODO_PARAMETERS };

/** The tool that shows the model's plan to the user. The plan is the preview of the call; there is nothing else to do. */
export function createTodoTool(): Tool {
  return defineTool<z.infer<typeof todoSchema>, readonly TodoItem[]>({
    spec,
    schema: todoSchema,
    forms: TODO_FORMS,
    plan: ({ todos }) =>
      Promise.resolve({
        subject: count(todos.length, 'step'),
        accesses: [{ kind: 'interact', target: 'chat' }],
        preview: { kind: 'todos', items: todos },
        state: todos,
      }),
    execute: (todos) => Promise.resolve(textResult(words(todos))),
  });
}

function words(todos: readonly TodoItem[]): string {
  if (todos.length === 0) return 'Plan cleared.';
  return `Plan updated: ${todos.filter(({ status }) => status === 'done').length} of ${todos.length} done.`;
}
