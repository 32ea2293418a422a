import { describe, expect, it } from 'vitest';
import { refusedRules, turnRulesIn } from '../../../../src/permission/rules/turn-rules.js';

describe('the rules that skills and commands name', () => {
  it.each([
    'Bash',
    'Bash(*)',
    'Bash( * )',
    'bash',
    '*',
    'Bash(:*)',
    'Bash(/x/)',
    'mcp__*',
    'ext__*',
    '',
    'Bash(git log',
    'Bash(git\nlog)',
    'Bash(git log\u200b:*)',
    `Bash(${'x'.repeat(2_001)})`,
  ])('S-34: %j is refused by its name', (text) => {
    const { usable, refused } = turnRulesIn([text, 'Bash(git log:*)']);
    expect([usable, refused.map((each) => each.text)]).toEqual([['Bash(git log:*)'], [text]]);
    expect(refusedRules({ origin: { layer: 'user', file: '/a', display: 'a' }, rules: [text] })).toMatchObject([
      { file: '/a', key: 'allowed-tools', message: expect.any(String) as string },
    ]);
  });

  it.each([
    'Bash(bash -c:*)',
    'Bash(eval:*)',
    'Bash(sudo:*)',
    'Bash(psql:*)',
    'Bash(sh *)',
    'Bash(env:*)',
    'Bash(xargs *)',
    'Bash(node -e *)',
    'Edit(//**)',
    'Edit(~/**)',
    'Read(//*)',
    'Write(//)',
  ])('%s is refused: it would allow everything, or allows nothing', (text) => {
    expect(turnRulesIn([text])).toMatchObject({ usable: [], refused: [{ text }] });
  });

  it('tools that only another program has are refused, and are no mistake', () => {
    expect(turnRulesIn(['SendMessage', 'ToolSearch', 'Monitor(x)'])).toMatchObject({
      usable: [],
      refused: [{ text: 'SendMessage' }, { text: 'ToolSearch' }, { text: 'Monitor(x)' }],
    });
    expect(refusedRules({ origin: { layer: 'user', file: '/a', display: 'a' }, rules: ['SendMessage', 'ToolSearch'] })).toEqual([]);
  });

  it('S-34: others can count, each once, and not without end', () => {
    expect(turnRulesIn(['Read', 'Edit(src/**)', 'mcp__db__query', 'mcp__db', 'WebFetch(domain:example.com)', 'Read'])).toEqual({
      usable: ['Read', 'Edit(src/**)', 'mcp__db__query', 'mcp__db', 'WebFetch(domain:example.com)'],
      refused: [],
    });
    const many = turnRulesIn(Array.from({ length: 120 }, (_, index) => `Bash(make ${index})`));
    expect([many.usable.length, many.refused.length]).toEqual([100, 20]);
  });
});
