import type { Tool, ToolContext, ToolResult } from '../../../src/domain/tool/tool.js';
import { withNotebooks } from '../../../src/node/files/notebook-documents.js';
import { createTools } from '../../../src/tool/index.js';
import { type MemoryWorkspace, type MemoryWorkspaceOptions, createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { settledPlan } from '../../support/settled-plan.js';

/** All tools on one in-memory workspace. */
export interface Rig extends MemoryWorkspace {
  /** A tool that plans as for files that may be read. */
  readonly tool: (name: string) => Tool;
  /** Plans and runs one call. */
  readonly call: (name: string, args: unknown, context?: ToolContext) => Promise<ToolResult>;
}

export function rig(options: MemoryWorkspaceOptions = {}): Rig {
  const memory = createMemoryWorkspace(options);
  const tools = createTools({ ...memory, documents: withNotebooks(memory.documents) });
  const tool = (name: string): Tool => {
    const found = tools.find((candidate) => candidate.spec.name === name);
    if (found === undefined) throw new Error(`There is no tool ${name}.`);
    return { ...found, plan: (args, context) => settledPlan(found, args, context) };
  };
  return {
    ...memory,
    tool,
    async call(name, args, context = toolContext()) {
      return tool(name).execute(await tool(name).plan(args, context), context);
    },
  };
}

/** The text of a result. */
export function textOf(result: ToolResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : `[${block.mimeType}]`)).join('\n');
}
