// A server of one file that needs nothing beside it, to be copied into a workspace: it writes its process id there when it starts, and
// its tool says the variable TOKEN.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

writeFileSync('pid.txt', String(process.pid));

/** @type {Record<string, unknown>} */
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1.0.0' } },
  'tools/list': { tools: ['token', 'other'].map((name) => ({ name, description: `Says the ${name}.`, inputSchema: { type: 'object' } })) },
  'tools/call': { content: [{ type: 'text', text: `The token is ${process.env['TOKEN']}.` }] },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method];
  const answer = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
