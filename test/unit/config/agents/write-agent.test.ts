import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentForm, changedAgentText, newAgentText } from '../../../../src/config/agents/write-agent.js';
import { read } from './rig.js';
import { runs } from '../../../support/runs.js';

const FORM: AgentForm = {
  name: 'tester',
  description: 'Tests: all of it, “well”',
  prompt: '\nTest it.\n\n---\n\nThen rest.\n',
  tools: ['Read', 'mcp__db__*'],
  model: 'sonnet',
};

describe('a new agent', () => {
  it('is what the form says', () => {
    expect(newAgentText(FORM)).toBe(
      '---\nname: tester\ndescription: "Tests: all of it, “well”"\ntools: Read, mcp__db__*\nmodel: sonnet\n---\n\nTest it.\n\n---\n\nThen rest.\n',
    );
    expect(newAgentText({ name: 'a', description: 'b', prompt: 'c' })).toBe('---\nname: a\ndescription: b\n---\n\nc\n');
    expect(newAgentText({ name: 'a', description: 'b', prompt: 'c', tools: [] })).toContain('tools: []');
  });

  it('S-20: reads back as it was written, whatever the texts are', () => {
    const text = fc
      .string({
        unit: fc.constantFrom(
          'a',
          ' ',
          ':',
          '#',
          '"',
          "'",
          '\n',
          '\\',
          '*',
          '&',
          '!',
          '-',
          '[',
          '{',
          '|',
          '>',
          '%',
          '@',
          '`',
          'ü',
          '✅',
          '\t',
          '---',
          'true',
          '1',
        ),
        minLength: 1,
        maxLength: 30,
      })
      .filter((each) => each.trim() !== '');
    fc.assert(
      fc.property(text, text, (description, prompt) => {
        const {
          agents: [agent],
        } = read(newAgentText({ ...FORM, description, prompt }));
        expect([agent?.name, agent?.description, agent?.systemPrompt, agent?.allowedTools]).toEqual([
          'tester',
          description.trim(),
          prompt.trim(),
          ['read', 'mcp__db__*'],
        ]);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('a changed agent', () => {
  const TEXT =
    '---\n# who\nname: tester   # short\n\ndescription: |\n  Tests.\n\n  <example>x</example>\n# tools that it has\ntools:\n- Read\n- Bash\ncolor: red\nmodel: opus # dear\n---\n\nTest it.\n';

  it('keeps comments, order, and fields that are not changed', () => {
    expect(changedAgentText(TEXT, { name: 'checker', tools: ['Read'], model: 'haiku', description: 'Checks: twice' })).toBe(
      '---\n# who\nname: checker   # short\n\ndescription: "Checks: twice"\n# tools that it has\ntools: Read\ncolor: red\nmodel: haiku # dear\n---\n\nTest it.\n',
    );
    expect(changedAgentText(TEXT, {})).toBe(TEXT);
    expect(changedAgentText(TEXT, { prompt: 'New.' })).toBe(TEXT.replace('Test it.', 'New.'));
    expect(changedAgentText(TEXT, { tools: null, model: null })).toBe(
      '---\n# who\nname: tester   # short\n\ndescription: |\n  Tests.\n\n  <example>x</example>\n# tools that it has\ncolor: red\n---\n\nTest it.\n',
    );
  });

  it('adds fields at the end', () => {
    expect(changedAgentText('---\nname: a\ndescription: b\n---\nx', { model: 'opus', tools: ['Read'] })).toBe(
      '---\nname: a\ndescription: b\ntools: Read\nmodel: opus\n---\nx',
    );
    expect(changedAgentText('---\n---\nx', { name: 'a' })).toBe('---\nname: a\n---\nx');
    expect(changedAgentText('---\nname: a\n---', { model: 'opus', prompt: 'x' })).toBe('---\nname: a\nmodel: opus\n---\n\nx\n');
  });

  it('keeps CRLF and a byte order mark', () => {
    expect(changedAgentText('\uFEFF---\r\nname: a\r\ndescription: b\r\n---\r\n\r\nx\r\n', { name: 'c', model: 'opus', prompt: 'y\nz' })).toBe(
      '\uFEFF---\r\nname: c\r\ndescription: b\r\nmodel: opus\r\n---\r\n\r\ny\r\nz\r\n',
    );
  });

  it('keeps values that need quotation marks and have none', () => {
    expect(changedAgentText('---\nname: a\ndescription: Use it: now # really\nmodel: x\n---\nx', { model: 'opus' })).toBe(
      '---\nname: a\ndescription: Use it: now # really\nmodel: opus\n---\nx',
    );
  });

  it.each([
    ['no front matter', 'x', 'cannot be read'],
    ['no end', '---\nname: a\n', 'cannot be read'],
    ['broken YAML', '---\nname: "a\n---\n', 'cannot be read'],
    ['a field in another spelling', '---\nName: a\n---\n', 'cannot be changed without changing other things'],
    ['fields in braces', '---\n{ name: a, description: b }\n---\n', 'cannot be changed without changing other things'],
  ])('is refused where it would alter more: %s', (_what, text, words) => {
    expect(() => changedAgentText(text, { name: 'b' })).toThrow(words);
  });
});
