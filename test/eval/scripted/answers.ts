import type { Changes, Files } from '../tasks/files.js';
import type { EvalTask, Work } from '../tasks/task.js';
import { startOf } from '../workspace.js';

/** A tool call of the script. */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One answer of the script: what it says and the tools it calls. The last one calls nothing. */
export interface ScriptedAnswer {
  readonly say: string;
  readonly calls: readonly ScriptedCall[];
}

/** What the script does with a task, in turns through the list of all tasks, so that it is known what must be reported. */
export const BEHAVIORS = ['solves', 'errs and solves', 'solves odd runs', 'does it wrongly', 'does nothing', 'solves'] as const;
/** One of {@link BEHAVIORS}. */
export type Behavior = (typeof BEHAVIORS)[number];

/** All answers of a run. */
export function answersOf(task: EvalTask, behavior: Behavior, run: number): readonly ScriptedAnswer[] {
  const [wrong = {}] = task.wrong;
  switch (behavior) {
    case 'solves':
      return workAnswers(task, task.solution);
    case 'errs and solves':
      return [...ERRORS, ...workAnswers(task, task.solution)];
    case 'solves odd runs':
      return workAnswers(task, run % 2 === 1 ? task.solution : wrong);
    case 'does it wrongly':
      return workAnswers(task, wrong);
    case 'does nothing':
      return [{ say: 'Done.', calls: [] }];
  }
}

/** Two calls that cannot be done, and a command that fails. */
const ERRORS: readonly ScriptedAnswer[] = [
  {
    say: 'I begin with errors.',
    calls: [
      { tool: 'read', args: { file_path: 'not/there.txt' } },
      { tool: 'edit', args: { file_path: 'not/there.txt' } },
    ],
  },
  { say: '', calls: [{ tool: 'bash', args: { command: 'exit 3' } }] },
];

/** Reads what it will change, changes it, runs the commands, and says the last words; steps with nothing to do are left out. */
function workAnswers(task: EvalTask, { files = {}, commands = [], said = 'Done.' }: Work): readonly ScriptedAnswer[] {
  const start = startOf(task);
  const known = Object.keys(files).filter((path) => start[path] !== undefined && files[path] !== undefined);
  const removed = Object.keys(files).filter((path) => files[path] === undefined);
  const steps: readonly (readonly ScriptedCall[])[] = [
    known.map((path) => ({ tool: 'read', args: { file_path: path } })),
    changingCalls(start, files),
    [...removed.map((path) => `rm ${path}`), ...commands].map((command) => ({ tool: 'bash', args: { command } })),
  ];
  return [...steps.filter((calls) => calls.length > 0).map((calls) => ({ say: '', calls })), { say: said, calls: [] }];
}

function changingCalls(start: Files, files: Changes): readonly ScriptedCall[] {
  return Object.entries(files).flatMap(([path, after]): readonly ScriptedCall[] => {
    const before = start[path];
    if (after === undefined || after === before) return [];
    if (before === undefined) return [{ tool: 'write', args: { file_path: path, content: after } }];
    return [{ tool: 'edit', args: { file_path: path, ...smallestEdit(before, after) } }];
  });
}

/** The lines that differ, with as many around them as it takes to find the place. */
function smallestEdit(before: string, after: string): { readonly old_string: string; readonly new_string: string } {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let first = 0;
  while (first < Math.min(a.length, b.length) && a[first] === b[first]) first += 1;
  let last = 0;
  while (last < Math.min(a.length, b.length) - first && a.at(-1 - last) === b.at(-1 - last)) last += 1;
  for (; ; first -= 1, last -= 1) {
    const [from, end] = [Math.max(0, first), Math.max(0, last)];
    const [old, fresh] = [a.slice(from, a.length - end), b.slice(from, b.length - end)];
    // Without a line beside it, one that is taken away would leave its line break.
    const isPlace = old.length > 0 && fresh.length > 0 && before.split(old.join('\n')).length === 2;
    if (isPlace || (first <= 0 && last <= 0)) return { old_string: old.join('\n'), new_string: fresh.join('\n') };
  }
}
