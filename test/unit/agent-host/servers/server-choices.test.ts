import { expect, test } from 'vitest';
import { ServerChoices } from '../../../../src/agent-host/servers/server-choices.js';
import { Kept, entryIn, program } from './rig.js';

const entry = entryIn('/w', program());

test('choices add up, belong to one server of one file, and are there in the next window', async () => {
  const kept = new Kept();
  const choices = new ServerChoices(kept);
  await choices.set(entry, { off: ['a'] });
  await choices.set(entry, { loading: 'defer' });
  await choices.set(entry, { enabled: false });
  const next = new ServerChoices(kept);
  expect(next.of(entry)).toEqual({ loading: 'defer', off: ['a'], enabled: false });
  expect([next.of(entryIn('/other', program())), next.of(entryIn('/w', program(), 'other'))]).toEqual([{ off: [] }, { off: [] }]);
});

test('those of 200 servers are kept, and what is damaged counts as none', async () => {
  const kept = new Kept();
  const choices = new ServerChoices(kept);
  const named = (n: number): typeof entry => entryIn('/w', program(), `s${n}`);
  for (let n = 0; n <= 200; n += 1) await choices.set(named(n), { off: ['a'] });
  expect([choices.of(named(0)).off, choices.of(named(1)).off, choices.of(named(200)).off]).toEqual([[], ['a'], ['a']]);
  kept.values.set('gnomon.mcp.choices', [{ file: '/w/.mcp.json', name: 's1', choice: { off: 'all', enabled: true } }]);
  expect(choices.of(named(1))).toEqual({ off: [] });
  await choices.set(named(1), { loading: 'always' });
  expect(choices.of(named(1))).toEqual({ loading: 'always', off: [] });
});
