import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { walkFolder } from '../../../../src/node/files/walk-folder.js';
import { quickFolder } from '../../../support/temporary-folder.js';

const never = new AbortController().signal;

// No time passes: on a machine with much else to do, a walk would end for that.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('everything below a folder is shown once, with where links lead, which are not followed', async () => {
  const root = quickFolder();
  const names: string[] = [];
  for (let folder = 0; folder < 40; folder += 1) {
    mkdirSync(join(root, `d${folder}`, 'deep'), { recursive: true });
    writeFileSync(join(root, `d${folder}`, 'deep', '.hidden'), '');
    names.push(`d${folder}`, `d${folder}/deep`, `d${folder}/deep/.hidden`);
  }
  symlinkSync('d0', join(root, 'link'));
  symlinkSync('nowhere', join(root, 'broken'));
  const seen: string[] = [];
  const whole = await walkFolder(root, ({ path, leadsTo }) => seen.push(leadsTo === undefined ? path : `${path} → ${leadsTo.real}`) > 0, never);
  expect([whole, seen.sort()]).toEqual([true, [...names, 'broken', `link → ${join(root, 'd0')}`].sort()]);
});

test('of more than is looked at, what was seen is shown', async () => {
  const root = quickFolder();
  for (let number = 0; number <= 20_000; number += 1) writeFileSync(join(root, String(number)), '');
  let count = 0;
  expect(await walkFolder(root, () => (count += 1) > 0, never)).toBe(false);
  expect(count).toBeGreaterThan(0);
});

test('of what takes longer than a user waits, what was seen is shown', async () => {
  const root = quickFolder();
  mkdirSync(join(root, 'one', 'two'), { recursive: true });
  const seen: string[] = [];
  const visit = ({ path }: { readonly path: string }): boolean => {
    vi.advanceTimersByTime(1_000);
    return seen.push(path) > 0;
  };
  expect([await walkFolder(root, visit, never), seen]).toEqual([false, ['one']]);
});

test('a folder that cannot be listed was not seen', async () => {
  expect(await walkFolder(join(quickFolder(), 'missing'), () => true, never)).toBe(false);
});

test('a walk that was stopped rejects', async () => {
  await expect(walkFolder(quickFolder(), () => true, AbortSignal.abort())).rejects.toThrow();
});
