import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentForm, newAgentText } from '../../../../src/config/agents/write-agent.js';
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
