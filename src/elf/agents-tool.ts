import * as z from 'zod/mini';
import { assertNever } from '../domain/assert-never.js';
import { ToolInputError } from '../domain/errors.js';
import type { Tool, ToolResult, ToolSpec } from '../domain/tool/tool.js';
import { defineTool, textResult } from '../tool/calls/define.js';
import { cutLine, showName } from '../text/show.js';
import type { Elf, ElfFacts } from './elf.js';
import { restOf, wordsFor } from './elf-result.js';
import type { Elves } from './elves.js';

/** Milliseconds that a call waits for an agent at most. */
const WAIT_MS = 10 * 60_000;

const schema = z.strictObject({ action: z.enum(['list', 'result', 'wait', 'stop']), id: z.optional(z.string()), from: z.optional(z.int().check(z.gte(0))) });
type Args = z.infer<typeof schema>;

const spec: ToolSpec = {
  name: 'agents',
  description: 'List the agents that you have started, get the last message of one, wait for one of them (or for any, without an id), or stop one.',
  parameters: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['list', 'result', 'wait', 'stop'] },
      id: { type: 'string', description: 'Such as agent-1' },
      from: { type: 'integer', description: 'With result: the character to begin with' },
    },
    required: ['action'],
    additionalProperties: false,
  },
};

/** The tool that looks after the agents that a session has started. */
export function createAgentsTool({ elves }: { readonly elves: Pick<Elves, 'find' | 'startedBy' | 'ended' | 'stopOwn'> }): Tool {
  return defineTool<Args, Args>({
    spec,
    schema,
    forms: { names: { agentid: 'id', taskid: 'id', name: 'id' } },
    plan: ({ action, id, from }) => {
      if (id === undefined && (action === 'result' || action === 'stop')) throw new ToolInputError(`The action ${action} needs an id, such as agent-1.`);
      const subject = id === undefined ? action : `${action} ${showName(id)}`;
      return Promise.resolve({
        subject,
        accesses: [{ kind: 'interact', target: id ?? 'agents' }],
        state: { action, ...(id === undefined ? {} : { id }), ...(from === undefined ? {} : { from }) },
      });
    },
    execute: async ({ action, id, from = 0 }, _plan, { sessionId, signal }) => {
      const one = id === undefined ? undefined : await elves.find(sessionId, id);
      switch (action) {
        case 'list':
          return listed(await elves.startedBy(sessionId));
        case 'stop':
          return textResult(`${(await elves.stopOwn(sessionId, id ?? '')).name} was stopped.`);
        case 'result':
          return one === undefined ? listed([]) : reported(one, from);
        case 'wait': {
          const all = one === undefined ? (await elves.startedBy(sessionId)).filter(({ isWorking }) => isWorking) : [one];
          if (all.length === 0) return textResult('None of your agents works.');
          await elves.ended(sessionId, all, AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]));
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

function reported(elf: Elf, from: number): ToolResult {
  const { result } = elf;
  if (result === undefined) {
    const words = elf.isWorking ? 'It still works.' : 'What it said is in its own session: have it go on with the tool agent and agent_id, and ask for it.';
    return textResult(`${lineOf(elf.facts)}\n${words}`);
  }
  elf.noteTold();
  return textResult(from === 0 ? wordsFor(result, elf.name) : restOf(result, from, elf.name));
}

function joined(ended: readonly Elf[]): ToolResult {
  const parts = ended.map((elf) => {
    elf.noteTold();
    return elf.result === undefined ? lineOf(elf.facts) : `[${elf.name}]\n${wordsFor(elf.result, elf.name)}`;
  });
  return textResult(parts.join('\n\n'));
}
