import { mkdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { appliedStanding, noteApplied } from '../../../src/worktree/applied.js';
import { ownPlace } from '../../../src/worktree/record.js';
import { writeAt } from '../../support/temporary-folder.js';
import { going, made, rigWith } from './rig.js';

test('what cannot be read of what was applied counts as not applied', async () => {
  const rig = await rigWith('echo one > a; git add .; git commit -qm one');
  const worktree = await made(rig);
  const { commit } = worktree.record.base;
  const base = async (): Promise<string> => (await appliedStanding(worktree, rig.main, going)).base;
  const file = ownPlace(worktree.unit, 'applied.json');
  const version = (id: string): object => ({ version: 1, files: [{ path: 'a', version: { id, mode: '100644' } }] });
  const damaged = ['no JSON', '[]', '{"version":2,"files":[]}', version('0'.repeat(45)), version('1'.repeat(40)), version('z'.repeat(40))];
  const paths = ['/a', '../a', 'b/../../a', 'b/..', ''].map((path) => ({ version: 1, files: [{ path }] }));
  for (const content of [...damaged, ...paths]) {
    writeAt(file, content);
    expect([content, await base()]).toEqual([content, commit]);
  }
  rmSync(file);
  mkdirSync(file);
  expect(await base()).toBe(commit);
  rmSync(file, { recursive: true });
  // A file that is not there any more, as it was applied.
  await noteApplied(worktree, [{ path: 'a', replaced: '1'.repeat(40) }]);
  expect(await base()).not.toBe(commit);
});
