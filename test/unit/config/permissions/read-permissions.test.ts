import { describe, expect, test } from 'vitest';
import { readPermissions } from '../../../../src/config/permissions/read-permissions.js';

const read = (text: string) => readPermissions(text, '.claude/settings.json');

describe('the rules of a settings file', () => {
  test('are read as they are written, with comments and trailing commas', () => {
    const { lists, damage } = read('{ // ours\n "permissions": { "deny": ["Read(./.env)", 5,], "allow": ["Bash(npm test:*)"] }, "model": "opus" }');
    expect(damage).toBeUndefined();
    expect(lists).toEqual({ deny: ['Read(./.env)', 5], ask: undefined, allow: ['Bash(npm test:*)'] });
  });

  test('about tools that Gnomon does not have are there as well, so that the user sees what they concern', () => {
    const deny = ['Task(Explore)', 'Skill(x)', 'KillShell', 'Tasks(x)', 'Bash'];
    expect(read(JSON.stringify({ permissions: { deny } })).lists.deny).toEqual(deny);
  });

  test('S-08: of lists with the same name none hides another', () => {
    expect(read('{"permissions":{"deny":["Bash(a)"],"deny":["Bash(b)"]}}').lists.deny).toEqual(['Bash(a)', 'Bash(b)']);
    expect(read('{"permissions":{"deny":["Bash(a)"]},"permissions":{"allow":[]},"permissions.deny":["Bash(b)"]}').lists.deny).toEqual(['Bash(a)', 'Bash(b)']);
    expect(read('{"permissions":{"deny":["Bash(a)"]},"permissions":5}').damage).toContain('“permissions”');
  });

  test.each([
    ['broken JSON', '{"permissions": {"deny": ["Bash(rm:*)"]', ':1'],
    ['a list', '[]', 'object in braces'],
    ['a text', '"x"', 'object in braces'],
    ['null', 'null', 'object in braces'],
    ['permissions that are a list', '{"permissions": ["Bash"]}', '“permissions”'],
    ['deep nesting', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'levels deep'],
  ])('S-08: %s means that rules may be missing', (_name, text, words) => {
    const { lists, damage } = read(text);
    expect(lists).toEqual({ allow: undefined, ask: undefined, deny: undefined });
    expect(damage).toContain(words);
  });

  test.each(['', ' \n', '{}', '{"permissions":{}}', '{"__proto__":{"permissions":{"allow":["Bash"]}}}'])(
    'S-08: %j has none, and none that could be missing',
    (text) => {
      expect(read(text)).toEqual({ lists: { allow: undefined, ask: undefined, deny: undefined } });
    },
  );
});
