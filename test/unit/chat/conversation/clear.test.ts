import { expect, onTestFinished, test } from 'vitest';
import { answers } from '../../../support/scripted-provider/index.js';
import { hooksOf } from '../../../support/hook-rig.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { TestProcesses } from '../../session/support/setup.js';
import { type TestWindow, say, testWindow } from '../sessions/rig.js';

function windowWithHooks(): { readonly window: TestWindow; readonly told: () => readonly string[] } {
  const { options, told } = hooksOf((['SessionStart', 'SessionEnd'] as const).map((event) => ({ event, name: event, answer: () => '' })));
  const window = testWindow(
    temporaryFolder(),
    new TestProcesses(),
    Array.from({ length: 4 }, () => answers('Yes.')),
    options,
  );
  onTestFinished(() => window.conversations.close());
  return { window, told: () => told.map(({ input }) => ('source' in input ? `start ${input.source}` : 'reason' in input ? `end ${input.reason}` : '')) };
}

test('H-03: a chat that is cleared ends with clear, and the one in its place starts with clear', async () => {
  const { window, told } = windowWithHooks();
  const first = await window.conversations.create();
  await say(first, 'one');
  const second = await window.conversations.clear(first);
  await window.conversations.leave(first, () => false);
  await say(second, 'two');
  await window.conversations.release(second.id);
  expect(told()).toEqual(['start startup', 'end clear', 'start clear', 'end other']);
});

test('H-03: a cleared chat that is wanted again before it has ended is not cleared', async () => {
  const { window, told } = windowWithHooks();
  const first = await window.conversations.create();
  await say(first, 'one');
  await window.conversations.clear(first);
  expect(await window.conversations.get(first.id)).toBe(first);
  await window.conversations.release(first.id);
  await say(await window.conversations.get(first.id), 'two');
  expect(told()).toEqual(['start startup', 'end other', 'start resume']);
});
