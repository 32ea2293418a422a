import * as fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import type { Session } from '../../../../src/domain/session/session.js';
import { exportJson, exportMarkdown } from '../../../../src/session/export/markdown.js';
import { assistant, toolResult, user } from '../support/setup.js';
import { runs } from '../../../support/runs.js';
import { decodeSession } from '../../../support/decode-session.js';

function session(...messages: readonly Message[]): Session {
  return { id: 'a', systemPrompt: 'secret rules', messages, createdAt: '2026-02-18T12:00:00Z', updatedAt: '2026-02-18T12:00:02Z' };
}

function call(id: string, args: string): Message {
  return assistant('', { content: [{ type: 'tool_call', id, name: 'read', arguments: args }] });
}

/** The headings outside of everything, as a renderer sees them. */
function headings(markdown: string): readonly string[] {
  return marked.lexer(markdown).flatMap((token) => (token.type === 'heading' ? [(token as { text: string }).text] : []));
}

describe('a conversation as Markdown', () => {
  it('has title, facts, messages, and calls folded with arguments and results', () => {
    const text = exportMarkdown(
      session(
        user('Read *it*'),
        assistant('', {
          content: [
            { type: 'thinking', thinking: 'hmm' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_call', id: 'c', name: 'read', arguments: '{"path":"a<b>.ts","big":12345678901234567890}' },
          ],
        }),
        toolResult('c', 'export {};\n'),
        { ...assistant('Don'), stopReason: 'aborted' },
      ),
      { title: 'My `title`', model: 'demo/demo', costUsd: 0.126 },
    );
    expect(text).toMatchInlineSnapshot(
      `\n      "# My \\\`title\\\`\n\n      - Started: 2026-02-18T12:00:00Z\n      - Last message: 2026-02-18T12:00:02Z\n      - Model: demo/demo\n      - Cost: $0.13\n      - Messages: 4\n\n      ## You\n\n      *2026-02-18T12:00:00Z*\n\n      Read *it*\n\n      ## Gnomon\n\n      *2026-02-18T12:00:01Z*\n\n      <details>\n      <summary>Thinking</summary>\n\n      \`\`\`\n      hmm\n      \`\`\`\n\n      </details>\n\n      I look.\n\n      <details>\n      <summary>read</summary>\n\n      \`\`\`json\n      {\n        "path": "a<b>.ts",\n        "big": 12345678901234567890\n      }\n      \`\`\`\n\n      **Result**\n\n      \`\`\`\n      export {};\n      \`\`\`\n\n      </details>\n\n      ## Gnomon\n\n      *2026-02-18T12:00:01Z*\n\n      Don\n\n      *Stopped.*\n      "\n    `,
    );
    expect(text).not.toContain('secret rules');
  });

  it('matches results with the calls of their own round when ids are used again', () => {
    const text = exportMarkdown(
      session(call('call_0', '{}'), toolResult('call_0', 'first'), call('call_0', '{}'), toolResult('call_0', 'second'), toolResult('other', 'stray')),
      {},
    );
    const [, one = '', two = ''] = text.split('## Gnomon');
    expect(one).toContain('first');
    expect(one).not.toContain('second');
    expect(two).toContain('second');
    expect(two).toContain('stray');
  });

  it('names images with their size, or puts them in', () => {
    const data = new Uint8Array(3_000).fill(7);
    const message: Message = { role: 'user', content: [{ type: 'image', data, mimeType: 'image/png' }], timestamp: '2026-02-18T12:00:00Z' };
    expect(exportMarkdown(session(message), {})).toContain('*Image: image/png, 3 KB*');
    expect(exportMarkdown(session(message), {}, { images: 'data' })).toContain(`](data:image/png;base64,${Buffer.from(data).toString('base64')})`);
  });

  it('stays in order whatever backticks, fences and HTML the texts hold', () => {
    const nasty = fc
      .array(
        fc.constantFrom(
          '```',
          '````',
          '~~~',
          '`',
          '\n',
          '\n\n',
          '# not a heading of ours',
          '<details>',
          '</details>',
          '<!--',
          '<summary>',
          'text',
          ' ',
          '```js\n',
          '    ',
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(nasty, nasty, nasty, (said, args, result) => {
        const text = exportMarkdown(session(user(`. ${said}`), call('c', args), toolResult('c', result), user('the end')), { title: 'T' });
        const found = headings(text).filter((heading) => ['T', 'You', 'Gnomon'].includes(heading));
        expect(found).toEqual(['T', 'You', 'Gnomon', 'You']);
        expect(text.match(/^<details>$/gm)?.length).toBeGreaterThanOrEqual(1);
        expect(marked.lexer(text).at(-1)).toMatchObject({ type: 'paragraph', text: 'the end' });
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('a conversation as JSON', () => {
  it('is a v1 file', () => {
    const messages = [user('a'), assistant('b'), toolResult('c', 'd')];
    const decoded = decodeSession(exportJson(session(...messages)));
    expect(decoded).toMatchObject({ id: 'a', systemPrompt: 'secret rules' });
    expect(decoded.messages.map(({ message }) => message)).toEqual(messages);
  });
});
