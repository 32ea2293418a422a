import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import type { JsonSchema } from '../../../../src/domain/tool/tool.js';
import { checkerOf } from '../../../../src/tool/calls/foreign.js';
import { checkedSchema, toldSchema } from '../../../../src/mcp/tools/schema.js';
import { createServerTools } from '../../../../src/mcp/tools/server-tools.js';
import { serverOf } from './rig.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gnomon-servers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The tools of a reference server, as it lists them. */
async function listed(server: string, ...args: readonly string[]): Promise<readonly McpToolInfo[]> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [`node_modules/@modelcontextprotocol/server-${server}/dist/index.js`, ...args],
      stderr: 'ignore',
    }),
  );
  try {
    const { tools } = await client.listTools();
    return tools.map(({ name, title, description, inputSchema }) => ({
      name,
      inputSchema: inputSchema as JsonSchema,
      annotations: {},
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
    }));
  } finally {
    await client.close();
  }
}

describe('the tools of the reference servers', () => {
  test.each([
    ['everything', 8],
    ['filesystem', 10],
    ['memory', 8],
  ] as const)('of server-%s are all offered, and their arguments are checked here', async (server, least) => {
    const tools = await listed(server, ...(server === 'filesystem' ? [folder] : []));
    expect(tools.length).toBeGreaterThanOrEqual(least);
    const made = createServerTools(serverOf(tools, { id: server }));
    expect(made.refused).toEqual([]);
    for (const { inputSchema } of tools) {
      const read = toldSchema(inputSchema);
      expect('problem' in read ? read.problem : checkerOf(checkedSchema(inputSchema))).toBeTypeOf('object');
    }
  });
});
