import { expect, test } from 'vitest';
import { NarrowedRules } from '../../../../src/consent/rules/narrowed-rules.js';
import { rulesSection } from '../../../../src/chat/configuration/sections.js';
import { MemoryStorage, ScriptedDialogs, rigBook, source } from '../rig.js';

const SAVED = [
  'Bash(psql:*)',
  'Bash(npm test:*)',
  'Bash(cross-env:*)',
  'Bash(yarn node:*)',
  'Bash(npm:*)',
  'Bash(ls:*)',
  'Task(Explore)',
  'Bash(npm run build)',
  'Bash(node scripts/x.mjs:*)',
  'Bash(git * main)',
];

test('rules that earlier versions saved stay; those that let nothing pass are named once, and can be reviewed', async () => {
  const { book } = rigBook(source('user', { allow: SAVED }));
  const memory = new MemoryStorage();
  const dialogs = new ScriptedDialogs('Review');
  let reviewed = 0;
  const narrowed = new NarrowedRules(dialogs, memory, () => Promise.resolve(void (reviewed += 1)));
  await narrowed.show(book.listing());
  expect(dialogs.shown).toHaveLength(1);
  expect(dialogs.shown[0]).toMatchObject({ kind: 'info', choices: ['Review'] });
  expect(dialogs.shown[0]?.text).toContain(': Bash(psql:*), Bash(cross-env:*), Bash(yarn node:*). The rules are still in your settings.');
  expect(reviewed).toBe(1);
  // Another window, or the next start.
  await narrowed.show(book.listing());
  await new NarrowedRules(dialogs, memory, () => Promise.reject(new Error('not asked for'))).show(book.listing());
  expect(dialogs.shown).toHaveLength(1);
  expect(book.rules().map(({ text }) => text)).toEqual(SAVED);
});

test('the Configuration page says of each rule what it covers', () => {
  const { book } = rigBook(source('user', { allow: SAVED, deny: ['Bash(psql:*)', 'Workflow', 'PowerShell(rm *)'] }));
  const items = rulesSection(book.listing(), []).items.map(({ name, state, description }) => [name, state, description?.split(/[,:.]/)[0]]);
  const idle = 'Gnomon does not know which arguments of this program run other code';
  expect(items.filter(([name]) => name?.startsWith('allow'))).toEqual([
    ['allow Bash(psql:*)', 'Covers nothing', idle],
    ['allow Bash(npm test:*)', 'Counts', undefined],
    ['allow Bash(cross-env:*)', 'Covers nothing', idle],
    ['allow Bash(yarn node:*)', 'Covers nothing', idle],
    ['allow Bash(npm:*)', 'Counts', 'It covers only commands that Gnomon knows to run no other code'],
    ['allow Bash(ls:*)', 'Counts', undefined],
    ['allow Task(Explore)', 'Counts', undefined],
    ['allow Bash(npm run build)', 'Counts', undefined],
    ['allow Bash(node scripts/x.mjs:*)', 'Counts', 'It covers this script without arguments'],
    ['allow Bash(git * main)', 'Counts', 'It covers only commands that Gnomon knows to run no other code'],
  ]);
  expect(items.filter(([name]) => name?.startsWith('deny'))).toEqual([
    ['deny Bash(psql:*)', 'Counts', undefined],
    ['deny Workflow', 'Covers nothing', 'Only Claude Code has this tool'],
    ['deny PowerShell(rm *)', 'Counts', undefined],
  ]);
});
