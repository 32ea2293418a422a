import { describe, expect, it } from 'vitest';
import type { OutputStyle } from '../../../src/domain/config/skill.js';
import { completePrompt } from '../../../src/engine/prompt-additions.js';
import { systemPrompt } from '../../../src/engine/system-prompt.js';
import { answers } from '../../support/scripted-provider/index.js';
import { rig } from './rig.js';

const PROMPT = systemPrompt('Platform: linux', [{ path: '/ws/AGENTS.md', display: 'AGENTS.md', text: 'Use tabs.', truncated: false }]);
const style = (keepsCodingInstructions: boolean): OutputStyle => ({
  name: 'Terse',
  description: '',
  body: 'One line per answer.',
  keepsCodingInstructions,
  fields: [],
  origin: { layer: 'user', file: '/home/me/.claude/output-styles/terse.md', display: '~/.claude/output-styles/terse.md' },
});

describe('C18: what is added to the system prompt', () => {
  it('is nothing unless the user wants something', () => {
    expect(completePrompt(PROMPT, { text: ' ' }, undefined)).toBe(PROMPT);
  });

  it('comes last, so that the beginning stays in the cache', () => {
    const prompt = completePrompt(PROMPT, { text: 'Answer in Welsh.' }, undefined);
    expect(prompt.startsWith(PROMPT)).toBe(true);
    expect(prompt.endsWith('Answer in Welsh.')).toBe(true);
  });

  it('a style takes the place of the advice on answers, and of that on coding unless it keeps it; safety and tools stay', () => {
    const [whole, kept] = [false, true].map((keeps) => completePrompt(PROMPT, { style: style(keeps), text: '' }, undefined));
    for (const prompt of [whole, kept]) {
      expect(prompt).toContain('One line per answer.');
      expect(prompt).not.toContain('# Answers');
      for (const part of ['# Tools', '# Safety', '# Environment', 'Use tabs.', 'You are Gnomon']) expect(prompt).toContain(part);
    }
    expect(whole).not.toContain('# How to work');
    expect(kept).toContain('# How to work');
  });

  it('leaves a prompt of an earlier version as it is', () => {
    expect(completePrompt('Be good.', { style: style(false), text: '' }, undefined)).toBe('Be good.\n\n# Output style\nOne line per answer.');
  });

  it('counts from the next message on', async () => {
    let text = '';
    const { session, provider } = rig({ systemPrompt: 'Be good.', additions: () => Promise.resolve({ text }), scripts: [answers('One.'), answers('Two.')] });
    await session.send([{ type: 'text', text: 'a' }]).turn;
    text = 'Be brief.';
    await session.send([{ type: 'text', text: 'b' }]).turn;
    expect(provider.requests.map((request) => request.systemPrompt)).toEqual(['Be good.', expect.stringContaining('Be brief.')]);
  });
});
