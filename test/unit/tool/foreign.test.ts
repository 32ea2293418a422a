import { expect, it } from 'vitest';
import { checkerOf, createForeignTool } from '../../../src/tool/calls/foreign.js';
import { textResult } from '../../../src/tool/calls/define.js';
import { toolContext } from '../../support/memory-workspace/index.js';

it('Arguments for which a check by the schema of a server takes for ever are refused, and others are not', async () => {
  const parameters = {
    type: 'object',
    properties: { a: { type: 'string', pattern: '^(a+)+$' }, loop: { $ref: '#/$defs/loop' } },
    $defs: { loop: { $ref: '#/$defs/loop' } },
  };
  const tool = createForeignTool({
    spec: { name: 'probe', description: '', parameters },
    schema: checkerOf(parameters),
    describe: () => ({ foreign: { kind: 'extension', by: 'probe', saysItReads: false } }),
    execute: () => Promise.resolve(textResult('done')),
  });
  const plan = async (args: object): Promise<unknown> => (await tool.plan(args, toolContext())).args;
  expect(await plan({ a: 'aaa' })).toEqual({ a: 'aaa' });
  await expect(plan({ a: `${'a'.repeat(48)}!` })).rejects.toThrow('takes too long');
  await expect(plan({ loop: {} })).rejects.toThrow('takes too long');
});
