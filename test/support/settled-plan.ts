import type { Plan, Tool, ToolContext } from '../../src/domain/tool/tool.js';

/** The plan of a call whose reading is permitted: with its files opened where it needs that. */
export async function settledPlan(tool: Tool, args: unknown, context: ToolContext): Promise<Plan> {
  const plan = await tool.plan(args, context);
  if (plan.unopened === undefined) return plan;
  if (tool.open === undefined) throw new Error(`The tool ${tool.spec.name} cannot open its plan.`);
  return tool.open(plan, context);
}
