import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod/mini';
import type * as definitions from '../../../src/tool/calls/define.js';
import type { ToolDefinition } from '../../../src/tool/calls/define.js';

/** What every tool was made of. The modules of the tools are loaded anew, as another test may have loaded them before. */
async function definedTools(): Promise<readonly ToolDefinition<unknown, unknown>[]> {
  const seen: ToolDefinition<unknown, unknown>[] = [];
  vi.resetModules();
  vi.doMock('../../../src/tool/calls/define.js', async (original) => {
    const actual = await original<typeof definitions>();
    return {
      ...actual,
      defineTool: (definition: ToolDefinition<unknown, unknown>) => {
        seen.push(definition);
        return actual.defineTool(definition);
      },
    };
  });
  const { allTools } = await import('../../support/all-tools.js');
  expect(allTools()).toHaveLength(seen.length);
  return seen;
}

afterEach(() => {
  vi.doUnmock('../../../src/tool/calls/define.js');
  vi.resetModules();
});

/** JSON Schema without what only explains. */
function bare(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'description' || key === '$schema') return undefined;
      if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return undefined;
      return value;
    }),
  );
}

describe('tool schemas', () => {
  it('that the model sees are those that arguments are checked against', async () => {
    const tools = await definedTools();
    expect(tools).not.toHaveLength(0);
    for (const { spec, schema } of tools) {
      expect(bare(spec.parameters), spec.name).toEqual(bare(z.toJSONSchema(schema)));
    }
  });
});
