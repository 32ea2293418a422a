import { fromJSONSchema } from 'zod';
import type * as z from 'zod/mini';
import type { ForeignCode, JsonSchema, Plan, Preview, Tool, ToolContext, ToolResult, ToolSpec } from '../../domain/tool/tool.js';
import { headOf } from '../../text/show.js';
import { defineTool } from './define.js';

/** Characters of a schema as JSON, some 5,000 tokens. */
export const MAX_SCHEMA = 20_000;
/** Characters of the arguments in the title of a call. */
const MAX_SUBJECT = 80;

/** A tool whose code is not Gnomon's. */
export interface ForeignTool {
  readonly spec: ToolSpec;
  readonly schema: z.ZodMiniType;
  /**
   * Whose code runs, and what the prompt shows beside the arguments; asked before each call is planned.
   * @throws ToolInputError for a tool that cannot be called any more.
   */
  readonly describe: (signal: AbortSignal) => ForeignDescription | Promise<ForeignDescription>;
  /** Runs it. What it is given is a copy: the plan stays what was allowed. */
  readonly execute: (input: unknown, plan: Plan, context: ToolContext) => Promise<ToolResult>;
}

/** What the plan of a call says of the tool. */
export interface ForeignDescription extends Omit<Extract<Preview, { kind: 'input' }>, 'kind' | 'input'> {
  readonly foreign: ForeignCode;
}

/** Makes a tool of the agent from one that is not Gnomon's. What it touches is unknown, and permission treats it so. */
export function createForeignTool({ spec, schema, describe, execute }: ForeignTool): Tool {
  return defineTool<unknown, { readonly input: unknown }>({
    spec,
    schema,
    async plan(input, { signal }) {
      const { foreign, ...shown } = await describe(signal);
      const compact = JSON.stringify(input);
      return {
        subject: compact.length > MAX_SUBJECT ? `${headOf(compact, MAX_SUBJECT)}…` : compact,
        accesses: [],
        preview: { kind: 'input', input: JSON.stringify(input, undefined, 2), ...shown },
        foreign,
        state: { input },
      };
    },
    execute: ({ input }, plan, context) => execute(structuredClone(input), plan, context),
  });
}

/** Checks arguments by a JSON Schema; nothing is fetched. @throws Error for a schema that cannot be read. */
export function checkerOf(schema: JsonSchema): z.ZodMiniType {
  return fromJSONSchema(schema);
}
