import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { present } from '../../../src/domain/present.js';
import { ownSession } from '../../../src/domain/session/identity.js';
import type { AskedPermission } from '../../../src/domain/tool/asks.js';
import { askPermission } from '../../../src/headless/ask-on-terminal.js';
import { Terminal } from '../../../src/headless/terminal.js';
import { unifiedDiff } from '../../../src/text/unified-diff.js';
import { runs } from '../../support/runs.js';

/** What a user at a terminal reads who is asked about a change, and denies it. @param before keys that they have pressed before that */
async function readOf(diff: string, before = '', rows?: number): Promise<string> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const errors = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, ...present({ rows }) });
  const terminal = new Terminal({ input, output: new PassThrough(), errors, environment: { NO_COLOR: '1' } }, 0);
  const plan = { subject: 'a.sql', preview: { kind: 'diff', path: 'a.sql', diff, created: false } };
  const ask = { who: ownSession('s'), plan, judgment: { reasons: [] } } as unknown as AskedPermission;
  input.pause();
  input.write(before);
  let read = '';
  errors.on('data', (text: string) => {
    read += text;
    if (text.includes('[n] deny')) input.write('n');
  });
  expect(await askPermission(ask, { terminal, folder: '/work', signal: AbortSignal.timeout(5_000) })).toEqual({ type: 'deny' });
  return read;
}

it('what was pressed before the question was there is no answer to it', async () => {
  for (const key of ['y', 'a', 'yy']) expect(await readOf('', key)).toContain('[n] deny');
});

it('what somebody writes while the question appears is no answer to it', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const errors = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true });
  const terminal = new Terminal({ input, output: new PassThrough(), errors, environment: {} });
  const pressed = terminal.key('aynd', new AbortController().signal);
  for (const key of 'play and say any d') {
    now += 70;
    input.write(key);
    await turn();
  }
  now += 500;
  input.write('y');
  expect(await pressed).toBe('y');
});

it('every changed line is shown, whatever it looks like', async () => {
  const line = fc.constantFrom('a', '-- drop table users;', '++ counter;', '- x', '+ y', '@@ -1,1 +1,1 @@', '-- a.sql', '++ a.sql');
  const text = fc.array(line, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(text, async (lines) => {
      const whole = lines.map((each) => `${each}\n`).join('');
      const added = await readOf(await unifiedDiff('a.sql', { before: 'kept\n', after: `kept\n${whole}` }));
      const removed = await readOf(await unifiedDiff('a.sql', { before: `kept\n${whole}`, after: 'kept\n' }));
      const changed = (read: string, sign: string): readonly string[] => read.split('\n').filter((each) => each.startsWith(`  ${sign}`));
      expect(changed(added, '+')).toEqual(lines.map((each) => `  +${each}`));
      expect(changed(removed, '-')).toEqual(lines.map((each) => `  -${each}`));
    }),
    { numRuns: runs(100) },
  );
});

it.each([
  ['many lines', 'line\n'.repeat(30), 24, true],
  ['a line that takes many rows', `${'x'.repeat(80 * 30)}\n`, 24, true],
  ['what there is room for', 'line\n', 24, false],
  ['a terminal that does not say how many rows it has', 'line\n'.repeat(30), undefined, false],
])('says that its beginning is out of sight, or not: %s', async (_what, added, rows, isSaid) => {
  expect((await readOf(await unifiedDiff('a.sql', { before: '', after: added }), '', rows)).includes('longer than the terminal')).toBe(isSaid);
});
