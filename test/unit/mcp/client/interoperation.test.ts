import { describe, expect, it } from 'vitest';
import type { McpConnection } from '../../../../src/domain/mcp/connection.js';
import type { McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import { connectTo, never, program } from './connected.js';

const MODERN = 'test/support/mcp/modern-server.mjs';

async function tool(connection: McpConnection, name: string): Promise<McpToolInfo> {
  const found = (await connection.listTools(never())).items.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
}

describe('a server of the modern era', () => {
  it('M-04: is found to be one over stdio', async () => {
    const { connection } = await connectTo(program(MODERN));
    expect(connection.agreement).toMatchObject({ era: 'modern', revision: '2026-07-28', transport: 'stdio', server: { name: 'modern', version: '1.2.3' }, instructions: 'Use add for sums.' });
    const result = await connection.callTool(await tool(connection, 'add'), { a: 1, b: 2 }, { signal: never() });
    expect(result).toEqual({ content: [{ type: 'text', text: '3' }], structured: { sum: 3 }, isError: false });
  });
});
