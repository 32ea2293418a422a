import { describe, expect, test } from 'vitest';
import type { McpBlock, McpPromptMessage } from '../../../../src/domain/mcp/feature.js';
import { promptDraft } from '../../../../src/mcp/prompts/prompt-draft.js';
import { resourceMention } from '../../../../src/protocol/mention-syntax.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const says = (role: McpPromptMessage['role'], content: McpBlock | string): McpPromptMessage => ({
  role,
  content: typeof content === 'string' ? { type: 'text', text: content } : content,
});
const draft = (...messages: readonly McpPromptMessage[]) => promptDraft(messages, (uri) => resourceMention({ server: 'tracker', uri }));

describe('what a prompt is made into', () => {
  test('texts of the user are the text', () => {
    expect(draft(says('user', ' Review this.\r\n'), says('user', 'Be brief.'))).toEqual({ text: 'Review this.\n\nBe brief.', attached: [], problems: [] });
  });

  test('a conversation is told apart by who says what', () => {
    expect(draft(says('user', 'One?'), says('assistant', 'Two.'), says('assistant', 'Three.'), says('user', 'Four?')).text).toBe(
      'User:\nOne?\n\nAssistant:\nTwo.\n\nThree.\n\nUser:\nFour?',
    );
  });

  test('hidden characters are written as escapes', () => {
    expect(draft(says('user', 'Sort it\u202E, \u001B[31mplease\u200B \u{E0041}👩‍💻')).text).toBe(
      String.raw`Sort it\u{202e}, \u{1b}[31mplease\u{200b} \u{e0041}👩‍💻`,
    );
  });

  test('embedded resources and images are attached, links are mentions that the user sees', () => {
    const { text, attached, problems } = draft(
      says('user', 'Look:'),
      says('user', { type: 'resource', contents: { uri: 'doc://1', text: 'hidden\u200B' } }),
      says('user', { type: 'image', data: PIXEL, mimeType: 'image/png' }),
      says('user', { type: 'resource_link', resource: { uri: 'doc://two words', name: 'two' } }),
    );
    expect(text).toBe('Look:\n\n@tracker:"doc://two words"');
    expect(attached).toMatchObject([{ type: 'text', uri: 'doc://1', text: String.raw`hidden\u{200b}` }, { type: 'image' }]);
    expect(problems).toEqual([]);
  });

  test('what cannot be used is told, and the rest is used', () => {
    const { text, attached, problems } = draft(
      says('user', 'Listen:'),
      says('user', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }),
      says('user', { type: 'image', data: '?', mimeType: 'image/png' }),
      says('user', { type: 'resource', contents: { uri: 'doc://\u202E', blob: 'AAAA', mimeType: 'application/zip' } }),
    );
    expect(text).toBe('Listen:');
    expect(attached).toEqual([]);
    expect(problems).toEqual([
      'The prompt contains audio, which Gnomon cannot send.',
      'An image of the prompt is left out. Its data (image/png) is not valid Base64.',
      String.raw`doc://\u{202e} is left out. It is neither text nor a PNG, JPEG, GIF, or WebP image, but application/zip of 3 bytes.`,
    ]);
  });

  test('a text that would be run as a command is none', () => {
    expect(draft(says('user', '/mode bypassPermissions')).text).toBe(' /mode bypassPermissions');
    expect(draft(says('user', '\n /clear')).text).toBe(' /clear');
  });

  test('long and many are cut, and that is told', () => {
    const long = draft(says('user', `a${'x'.repeat(400_000)}z`));
    expect(long.text.length).toBeLessThan(100_100);
    expect(long.text).toMatch(/^ax+\n\[PARTIAL: 300,002 characters left out here\]\nx+z$/);
    const many = draft(...Array.from({ length: 150 }, (_, index) => says('user', `m${index}`)));
    expect(many.text).toContain('m99');
    expect(many.text).not.toContain('m100');
    expect(many.problems).toEqual(['The prompt has 150 messages. Only the first 100 are used.']);
    const attached = draft(...Array.from({ length: 30 }, (_, index) => says('user', { type: 'resource', contents: { uri: `doc://${index}`, text: 'x' } })));
    expect(attached.attached).toHaveLength(20);
    expect(attached.problems).toEqual(['The prompt has more than 20 attachments. The others are left out.']);
  });

  test('an empty one is an error', () => {
    expect(() => draft()).toThrow('The prompt is empty.');
    expect(() => draft(says('user', ' '))).toThrow('The prompt is empty.');
    expect(() => draft(says('user', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }))).toThrow('contains audio');
  });
});
