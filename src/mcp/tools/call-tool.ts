import * as z from 'zod/mini';
import { ToolInputError } from '../../domain/errors.js';
import type { Plan, Tool, ToolSpec } from '../../domain/tool/tool.js';
import { CALL_TOOL } from './meta-tools.js';
import type { ToolIndex } from './tool-index.js';

/** Tools that are suggested in place of one that is not there. */
const MAX_SUGGESTED = 3;

const spec: ToolSpec = {
  name: CALL_TOOL,
  description: 'Calls a tool that find_tools found.',
  parameters: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Its exact name' },
      arguments: { type: 'object', description: 'Its arguments, as its definition has them' },
    },
    required: ['name', 'arguments'],
  },
  deferral: 'caller',
};

const schema = z.object({ name: z.string(), arguments: z.optional(z.unknown()) });

/**
 * The tool that calls deferred tools, which requests do not list. The plan of a call is the one of the tool that it calls, so that permission,
 * rules and prompts know nothing of this one.
 * @param tools those that can be called
 */
export function createCallTool(tools: readonly Tool[], index: ToolIndex): Tool {
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));
  const planned = new WeakMap<Plan, Tool>();
  return {
    spec,
    async plan(args, context) {
      const parsed = z.safeParse(schema, args);
      if (!parsed.success) throw new ToolInputError(`The arguments of ${CALL_TOOL} are name, a string, and arguments, an object. Nothing was done.`);
      const name = parsed.data.name.trim();
      const tool = byName.get(name);
      if (tool === undefined) throw unknownTool(name, index);
      const plan = await tool.plan(parsed.data.arguments ?? {}, context);
      planned.set(plan, tool);
      return plan;
    },
    execute(plan, context) {
      const tool = planned.get(plan);
      if (tool === undefined) throw new TypeError(`This is not a plan made by the tool ${CALL_TOOL}.`);
      return tool.execute(plan, context);
    },
  };
}

function unknownTool(name: string, index: ToolIndex): ToolInputError {
  const near = index.find(name, MAX_SUGGESTED).map(({ tool }) => tool.spec.name);
  const advice = near.length === 0 ? 'Search with find_tools.' : `Did you mean ${near.join(' or ')}? If not, search with find_tools.`;
  return new ToolInputError({ kind: 'unknown_tool', tool: name, calledBy: CALL_TOOL }, { detail: advice });
}
