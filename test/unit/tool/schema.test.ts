import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod/mini';
import type * as definitions from '../../../src/tool/define.js';
import type { ToolDefinition } from '../../../src/tool/define.js';
import { allTools } from '../../support/all-tools.js';

const seen: ToolDefinition<unknown, unknown>[] = [];
vi.mock('../../../src/tool/define.js', async (original) => {
  const actual = await original<typeof definitions>();
  return {
    ...actual,
    defineTool: (definition: ToolDefinition<unknown, unknown>) => {
      seen.push(definition);
      return actual.defineTool(definition);
    },
  };
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
  it('that the model sees are those that arguments are checked against', () => {
    expect(seen).toHaveLength(allTools().length);
    for (const { spec, schema } of seen) {
      expect(bare(spec.parameters), spec.name).toEqual(bare(z.toJSONSchema(schema)));
    }
  });
});
