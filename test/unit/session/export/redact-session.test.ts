import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import type { Session } from '../../../../src/domain/session/session.js';
import { redact } from '../../../../src/text/redact.js';
import { redactSession } from '../../../../src/session/export/redact-session.js';

const KEY = `sk-${'a1b2c3d4'.repeat(4)}`;
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const time = '2026-01-01T00:00:00Z';

function session(...messages: Message[]): Session {
  return { id: '1', systemPrompt: 'Be good.', createdAt: time, updatedAt: time, messages };
}

describe('sess-16 a conversation that is exported', () => {
  it('has no secret in what was said, thought, asked of tools or answered by them', () => {
    const image = { type: 'image' as const, data: new Uint8Array([1, 2]), mimeType: 'image/png' as const };
    const whole = session(
      { role: 'user', content: [{ type: 'text', text: `Use ${KEY}.` }, image], timestamp: time },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: `The key is ${KEY}`, signature: new Uint8Array([1]) },
          { type: 'text', text: `I use ${KEY}` },
          {
            type: 'tool_call',
            id: 'c',
            name: 'bash',
            arguments: JSON.stringify({ command: `curl -H "x-api-key: ${KEY}" https://example.com/a?b=c && echo "$HOME" > out.txt` }),
          },
        ],
        stopReason: 'tool_use',
        rawStopReason: 'tool_use',
        usage,
        timestamp: time,
      },
      {
        role: 'tool_result',
        toolCallId: 'c',
        toolName: 'bash',
        content: [{ type: 'text', text: `password: ${KEY}` }],
        isError: true,
        outcome: { kind: 'rejected', problem: `password: ${KEY}` },
        timestamp: time,
      },
    );
    const safe = redactSession(whole, redact);
    expect(JSON.stringify(safe)).not.toContain(KEY);
    expect(safe.messages).toHaveLength(3);
    expect(safe.messages[0]?.content[1]).toBe(image);
    // The signature proves words that are not there any more.
    expect(safe.messages[1]?.content[0]).not.toHaveProperty('signature');
    const call = safe.messages[1]?.content[2];
    const command: unknown = call?.type === 'tool_call' ? (JSON.parse(call.arguments) as { command: unknown }).command : undefined;
    expect(command).toContain('https://example.com/a?b=c && echo "$HOME" > out.txt');
  });

  it('is the same where there is no secret: operators, paths and arguments that were cut off stay', () => {
    const raw = '{"command": "cat ~/.ssh/config && token=$(get | head -1) || true", "key": "/etc/keys/a.pem"';
    const plain = session({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: new Uint8Array([1]) },
        { type: 'tool_call', id: 'c', name: 'bash', arguments: raw },
      ],
      stopReason: 'length',
      rawStopReason: 'length',
      usage,
      timestamp: time,
    });
    expect(redactSession(plain, redact)).toEqual(plain);
  });

  it('arguments stay readable where replacing in the whole would break them', () => {
    const broken = session({
      role: 'assistant',
      content: [{ type: 'tool_call', id: 'c', name: 'x', arguments: '{"a":"secret","b":1}' }],
      stopReason: 'tool_use',
      rawStopReason: 'tool_use',
      usage,
      timestamp: time,
    });
    const safe = redactSession(broken, (text) => text.replaceAll(/"secret",?|secret/g, '[redacted]'));
    const call = safe.messages[0]?.content[0];
    expect(call?.type === 'tool_call' ? JSON.parse(call.arguments) : undefined).toEqual({ a: '[redacted]', b: 1 });
  });
});
