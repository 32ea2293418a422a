import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askChat, cleanChatAnswer } from '../../../src/completion/ask-chat.js';
import type { CompletionInput } from '../../../src/completion/completion-input.js';
import { answers, Latch, says, ScriptedProvider, TEST_MODEL } from '../../support/scripted-provider/index.js';
import { at } from './places.js';

const clock = { timestamp: () => '2026-01-02T03:04:05Z' };
const input: CompletionInput = {
  place: at('const a = |;\n'),
  extent: 'line',
  snippets: [{ path: 'b.ts', text: 'export const b = 2;' }],
  edits: [{ path: 'c.ts', text: 'edited()' }],
};

describe('what a model that talks wrote', () => {
  it.each([
    ['  return |', 'a + b;', 'a + b;'],
    ['  return |', '```ts\na + b;\n```', 'a + b;'],
    ['  return |', 'return a + b;', 'a + b;'],
    ['  return |', '  return a + b;', 'a + b;'],
    ['  return |', '  return <|cursor|>a + b;', 'a + b;'],
    ['  |', '  a();\n  b();', 'a();\n  b();'],
    ['  |', '    a();', '  a();'],
    ['\t|', '  a();', 'a();'],
    ['f() {|', '\n  a();\n}', '\n  a();\n}'],
    ['x|', 'xyz', 'xyz'],
  ])('%s: %s', (marked, written, clean) => {
    expect(cleanChatAnswer(written, at(marked))).toBe(clean);
  });

  it('means the same with and without a fence, and with and without what has been begun', () => {
    const code = fc.string({ unit: fc.constantFrom('a', 'b', '(', ')', ' ', '\n', ';'), maxLength: 60 }).map((text) => `z${text}z`);
    fc.assert(
      fc.property(code, (text) => {
        const place = at('const a = |');
        for (const written of [text, `\`\`\`ts\n${text}\n\`\`\``, `const a = ${text}`, `const a = <|cursor|>${text}`])
          expect(cleanChatAnswer(written, place)).toBe(text);
      }),
    );
  });
});

describe('a model that talks', () => {
  it('is shown the file with the cursor, other files and edits, and asked without tools or thinking', async () => {
    const provider = new ScriptedProvider([answers('b')]);
    expect(await askChat(input, { provider, model: TEST_MODEL, clock }, new AbortController().signal)).toBe('b');
    const [request] = provider.requests;
    expect(request).toMatchObject({ tools: [], effort: 'off', maxTokens: 80, model: 'model-1' });
    const said = JSON.stringify(request?.messages);
    for (const part of ['const a = <|cursor|>;', 'export const b = 2;', 'edited()', 'b.ts']) expect(said).toContain(part);
  });

  it('is not read on when the line is there', async () => {
    const hold = new Latch();
    const provider = new ScriptedProvider([[...says(0, 'b + c', '\nconst d'), hold, ...says(1, ' = 1;')]]);
    expect(await askChat(input, { provider, model: TEST_MODEL, clock }, new AbortController().signal)).toBe('b + c\nconst d');
  });
});
