import { describe, expect, test } from 'vitest';
import type { RuleUpdate } from '../../../../src/domain/tool/permission.js';
import { rigBook, source } from '../rig.js';

type Update = RuleUpdate<'user' | 'workspace' | 'local'>;
const update = (type: Update['type'], effect: Update['effect'], scope: Update['scope'], ...rules: readonly string[]): Update => ({
  type,
  effect,
  rules,
  scope,
});

describe('changes of the rules in settings', () => {
  test.each(['allow', 'ask', 'deny'] as const)('%s rules are added, replaced, and removed where they belong, and no other rule is', async (effect) => {
    const all = { allow: ['Bash(x)'], ask: ['Bash(x)'], deny: ['Bash(x)'] };
    const { book, settings } = rigBook(source('user', all), source('local', all));
    const lists = (place: string): unknown => settings.sources().find((each) => each.place === place)?.lists;
    await book.update(update('addRules', effect, 'user', 'Bash(y)', 'Bash(x)'));
    expect(lists('user')).toEqual({ ...all, [effect]: ['Bash(x)', 'Bash(y)'] });
    await book.update(update('replaceRules', effect, 'user', 'Bash(z)', 'Bash(y)'));
    expect(lists('user')).toEqual({ ...all, [effect]: ['Bash(y)', 'Bash(z)'] });
    await book.update(update('removeRules', effect, 'user', 'Bash(y)', 'Bash(never there)'));
    await book.update(update('replaceRules', effect, 'local'));
    expect([lists('user'), lists('local')]).toEqual([
      { ...all, [effect]: ['Bash(z)'] },
      { ...all, [effect]: [] },
    ]);
  });

  test('a rule is removed from every file of its scope that has it', async () => {
    const rig = rigBook(source('user', { deny: ['Bash(x)'] }), source('userFile', { deny: [' Bash(x) ', 'Bash(y)'] }));
    await rig.book.update(update('removeRules', 'deny', 'user', 'Bash(x)'));
    expect(rig.rules()).toEqual(['deny Bash(y) user']);
  });

  test('what the organization has set is not removed, and other rules do not take its place', async () => {
    const rig = rigBook(source('user', { deny: ['Bash(x)'] }), source('managed', { deny: ['Bash(fixed)'] }));
    await expect(rig.book.update(update('removeRules', 'deny', 'user', 'Bash(x)', 'Bash(fixed)'))).rejects.toThrow('Bash(fixed)');
    expect(rig.rules()).toEqual(['deny Bash(x) user', 'deny Bash(fixed) user']);
    await rig.book.update(update('replaceRules', 'deny', 'user', 'Bash(y)'));
    expect(rig.rules()).toEqual(['deny Bash(y) user', 'deny Bash(fixed) user']);
  });

  test.each(['workspace', 'local'] as const)('rules of a workspace that is not trusted are not changed (%s)', async (scope) => {
    const rig = rigBook(source('user'), source(scope, { deny: ['Bash(x)'] }));
    rig.trusted = false;
    for (const type of ['addRules', 'replaceRules', 'removeRules'] as const)
      await expect(rig.book.update(update(type, 'deny', scope, 'Bash(x)'))).rejects.toThrow('not trusted');
    expect(rig.settings.sources()[1]?.lists.deny).toEqual(['Bash(x)']);
  });

  test('rules that restrict are there before those that they replace go; rules that allow go before others come', async () => {
    const { book, settings } = rigBook(source('user', { allow: ['Bash(x)'], deny: ['Bash(x)'] }));
    const seen: unknown[] = [];
    const change = settings.change.bind(settings);
    settings.change = async (...args) => {
      await change(...args);
      seen.push(settings.sources()[0]?.lists[args[1]]);
    };
    await book.update(update('replaceRules', 'deny', 'user', 'Bash(y)'));
    await book.update(update('replaceRules', 'allow', 'user', 'Bash(y)'));
    expect(seen).toEqual([['Bash(x)', 'Bash(y)'], ['Bash(y)'], [], ['Bash(y)']]);
  });

  test('settings that cannot be written say so, and stay as they are', async () => {
    const rig = rigBook(source('user', { deny: ['Bash(x)'] }));
    rig.settings.failure = new Error('The disk is full.');
    await expect(rig.book.update(update('replaceRules', 'deny', 'user', 'Bash(y)'))).rejects.toThrow('The disk is full.');
    expect(rig.rules()).toEqual(['deny Bash(x) user']);
  });
});
