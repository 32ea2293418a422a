import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { AskedPermission } from '../../../src/domain/tool/asks.js';
import { askPermission } from '../../../src/headless/ask-on-terminal.js';
import { Terminal } from '../../../src/headless/terminal.js';

/** What a user at a terminal reads who is asked about a change, and denies it. */
async function readOf(diff: string): Promise<string> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const errors = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true });
  const terminal = new Terminal({ input, output: new PassThrough(), errors, environment: { NO_COLOR: '1' } });
  const plan = { subject: 'a.sql', preview: { kind: 'diff', path: 'a.sql', diff, created: false } };
  const ask = { plan, judgment: { reasons: [] } } as unknown as AskedPermission;
  input.write('n');
  expect(await askPermission(ask, terminal, AbortSignal.timeout(5_000))).toEqual({ type: 'deny' });
  return String(errors.read());
}

it('every changed line is shown, also one that looks like the name of a file', async () => {
  const read = await readOf('--- a.sql\n+++ a.sql\n@@ -1,3 +1,3 @@\n kept\n--- drop table users;\n+++ counter;\n-old\n+new\n');
  for (const line of ['  --- drop table users;', '  +++ counter;', '  -old', '  +new', '   kept']) expect(read.split('\n')).toContain(line);
  expect(read.split('\n').filter((line) => line.includes('a.sql'))).toEqual(['  a.sql']);
});
