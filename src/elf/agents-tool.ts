import * as z from 'zod/mini';
import { assertNever } from '../domain/assert-never.js';
import { errorMessage, ToolInputError } from '../domain/errors.js';
import { present } from '../domain/present.js';
import type { Access, Tool, ToolResult, ToolSpec } from '../domain/tool/tool.js';
import type { FileChange } from '../domain/workspace/documents.js';
import { defineTool, type Draft, textResult } from '../tool/calls/define.js';
import { count, cutLine, showName } from '../text/show.js';
import { appliedState, type BroughtChanges, type ElfWorktrees, leftWords } from './brought.js';
import type { Elf, ElfFacts } from './elf.js';
import { elfAuthor } from './elf-author.js';
import { nothingDone, restOf, wordsFor } from './elf-result.js';
import { AGENTS_TOOL } from './elf-types.js';
import type { Elves } from './elves.js';

/** Milliseconds that a call waits for an agent at most. */
const WAIT_MS = 10 * 60_000;

const ACTIONS = ['list', 'result', 'wait', 'stop', 'apply'] as const;

const schema = z.strictObject({ action: z.enum(ACTIONS), id: z.optional(z.string()), from: z.optional(z.int().check(z.gte(0))) });
type Args = z.infer<typeof schema>;

/** A call that looks after agents, or what one takes over of a worktree. */
type State =
  | { readonly action: Exclude<Args['action'], 'apply'>; readonly id?: string; readonly from?: number }
  | { readonly applies: string; readonly worktree: string; readonly brought: BroughtChanges };

/** Services of the tool. */
export interface AgentsToolDeps {
  readonly elves: Pick<Elves, 'find' | 'startedBy' | 'ended' | 'stopOwn' | 'lastWords'>;
  readonly worktrees: Pick<ElfWorktrees, 'bring' | 'write'>;
}

const spec: ToolSpec = {
  name: AGENTS_TOOL,
  description:
    'List the agents that you have started, get the last message of one, wait for one of them (or for any, without an id), stop one, or apply to the ' +
    'workspace what one has changed in its worktree.',
  parameters: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: [...ACTIONS] },
      id: { type: 'string', description: 'Such as agent-1' },
      from: { type: 'integer', description: 'With result: the character to begin with' },
    },
    required: ['action'],
    additionalProperties: false,
  },
};

/** The tool that looks after the agents that a session has started. */
export function createAgentsTool({ elves, worktrees }: AgentsToolDeps): Tool {
  return defineTool<Args, State>({
    spec,
    schema,
    forms: { names: { agentid: 'id', taskid: 'id', name: 'id' } },
    plan: async ({ action, id, from }, { sessionId, signal }) => {
      if (id === undefined && action !== 'list' && action !== 'wait') throw new ToolInputError(`The action ${action} needs an id, such as agent-1.`);
      if (action === 'apply') return draftOfApplying(await elves.find(sessionId, id ?? ''), worktrees, signal);
      const subject = id === undefined ? action : `${action} ${showName(id)}`;
      return { subject, accesses: [{ kind: 'interact', target: id ?? 'agents' }], state: { action, ...present({ id, from }) } };
    },
    execute: async (state, _plan, { sessionId, signal }) => {
      if ('applies' in state) return applied(await elves.find(sessionId, state.applies), { ...state, worktrees }, signal);
      const { action, id, from = 0 } = state;
      const one = id === undefined ? undefined : await elves.find(sessionId, id);
      switch (action) {
        case 'list':
          return listed(await elves.startedBy(sessionId));
        case 'stop':
          return textResult(`${(await elves.stopOwn(sessionId, id ?? '')).name} was stopped.`);
        case 'result':
          return one === undefined ? listed([]) : reported(one, from, elves, sessionId);
        case 'wait': {
          const all = one === undefined ? (await elves.startedBy(sessionId)).filter(({ isWorking }) => isWorking) : [one];
          if (all.length === 0) return textResult('None of your agents works.');
          await elves.ended(sessionId, all, signal, WAIT_MS);
          signal.throwIfAborted();
          const ended = all.filter(({ isWorking }) => !isWorking);
          return ended.length === 0 ? textResult('None of them has ended yet.') : joined(ended);
        }
        default:
          return assertNever(action);
      }
    },
  });
}

/** @throws ToolInputError where there is nothing that could be taken over */
async function draftOfApplying(elf: Elf, worktrees: AgentsToolDeps['worktrees'], signal: AbortSignal): Promise<Draft<State>> {
  const { worktree, session = elf.name, type, task } = elf.facts;
  if (worktree === undefined) throw new ToolInputError(`${elf.name} works in your folders, not in a worktree: what it has changed is there.`);
  if (elf.isWorking) throw new ToolInputError(`${elf.name} still works. Wait for it first.`);
  const brought = await bringFrom(worktree, worktrees, signal);
  const { changes, shown, left } = brought;
  if (changes.length === 0) {
    const undone = (await bringFrom(worktree, worktrees, signal, true)).changes.length > 0;
    const nothing = undone ? 'There is nothing new to take over. What was undone here, the user can apply again.' : 'There is nothing to take over.';
    throw new ToolInputError([nothing, leftWords(left)].filter((part) => part !== '').join('\n'));
  }
  return {
    subject: `apply ${elf.name} (${count(changes.length, 'file')})`,
    accesses: changes.flatMap(accessesOf),
    preview: { kind: 'diffs', files: shown },
    changes,
    madeBy: elfAuthor(session, type, task),
    state: { applies: elf.name, worktree, brought },
  };
}

async function bringFrom(worktree: string, worktrees: AgentsToolDeps['worktrees'], signal: AbortSignal, again = false): Promise<BroughtChanges> {
  try {
    return await worktrees.bring(worktree, signal, again);
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolInputError(errorMessage(error));
  }
}

/** What a change does to files, for the permission for it. */
export function accessesOf(change: FileChange): readonly Access[] {
  if (change.action === 'delete') return [{ kind: 'write', target: change.path, removal: 'deleted' }];
  const moved = change.action === 'modify' && change.from !== undefined ? [{ kind: 'write', target: change.from, removal: 'moved' } as const] : [];
  return [...moved, { kind: 'write', target: change.path }];
}

async function applied(
  elf: Elf,
  { worktree, brought, worktrees }: Extract<State, { readonly brought: unknown }> & Pick<AgentsToolDeps, 'worktrees'>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { changes, merged, left } = brought;
  const failed = await worktrees.write(worktree, brought, signal);
  if (failed.length === 0) elf.noteApplied(appliedState(brought));
  const done = changes.length - failed.length;
  const parts = [
    `Took over ${count(done, 'file')}${merged === 0 ? '' : `, ${merged} of them merged with what was changed here meanwhile`}.`,
    ...failed.map(({ path, problem }) => `Not ${showName(path)}: ${problem}`),
    leftWords(left),
  ];
  return textResult(parts.filter((part) => part !== '').join('\n'), done === 0);
}

/** How those stand that a session has started: a line each. */
function listed(elves: readonly Elf[]): ToolResult {
  const lines = elves.map(({ facts }) => lineOf(facts));
  return textResult(lines.length === 0 ? 'You have started no agent.' : lines.join('\n'));
}

/** Characters of the reason for a failure in a list. */
const MAX_PROBLEM = 300;

/** How an elf stands, such as `agent-1 (explore: Find the parser): completed`. */
export function lineOf({ name, type, task, runs, interrupted }: ElfFacts): string {
  const run = runs.at(-1);
  const state = interrupted ? 'interrupted' : (run?.state ?? 'pending');
  return `${name} (${type}: ${task}): ${state}${run?.problem === undefined ? '' : `: ${cutLine(run.problem.replaceAll(/\s+/g, ' '), MAX_PROBLEM)}`}`;
}

async function reported(elf: Elf, from: number, elves: AgentsToolDeps['elves'], session: string): Promise<ToolResult> {
  if (elf.isWorking) return textResult(`${lineOf(elf.facts)}\nIt still works.`);
  const { name, result } = elf;
  if (result === undefined) return reportedBefore(elf, from, await elves.lastWords(session, elf));
  elf.noteTold();
  return textResult(from === 0 ? wordsFor(result, name) : restOf(result, from, name));
}

/** The same of one that has ended before the chat was opened. @param output what it said last */
function reportedBefore(elf: Elf, from: number, output: string): ToolResult {
  const { name, facts } = elf;
  const stored = { ...nothingDone(facts.session ?? ''), state: 'completed', output } as const;
  elf.noteTold();
  return textResult(from === 0 ? `${lineOf(facts)}\n${wordsFor(stored, name)}` : restOf(stored, from, name));
}

function joined(ended: readonly Elf[]): ToolResult {
  const parts = ended.map((elf) => {
    elf.noteTold();
    return elf.result === undefined ? lineOf(elf.facts) : `[${elf.name}]\n${wordsFor(elf.result, elf.name)}`;
  });
  return textResult(parts.join('\n\n'));
}
