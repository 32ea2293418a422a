import { describe, expect, test } from 'vitest';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import type { UserContent } from '../../../../src/domain/model/content.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { forkItem, resendItem, retryItem } from '../../../../src/chat/conversation/branches.js';
import type { ChatPane } from '../../../../src/chat/pane/chat-pane.js';
import { itemsOf } from '../../../../src/chat/projection/transcript-items.js';

const timestamp = '2026-01-01T00:00:00Z';
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const image = { type: 'image' as const, mimeType: 'image/png' as const, data: Uint8Array.of(1) };
const framed = attachedBlock({ name: 'src/a.ts', text: 'code' });
const said = (content: readonly UserContent[]): Message => ({ role: 'user', content, timestamp });
const answered = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  stopReason: 'end_turn',
  rawStopReason: 'end_turn',
  usage,
  timestamp,
});
const messages = [said([{ type: 'text', text: 'one' }]), answered('First.'), said([image, framed, { type: 'text', text: 'two' }]), answered('Second.')];

/** What a pane was told to do. */
function pane({ running = false, arrives = true } = {}): { readonly pane: ChatPane; readonly done: unknown[] } {
  const done: unknown[] = [];
  const stand = {
    current: { running, session: { messages }, view: { state: { items: itemsOf(messages, {}) } } },
    branch: (count: number) => (done.push(['branch', count]), Promise.resolve(arrives)),
    send: (content: readonly UserContent[]) => Promise.resolve(done.push(['send', content])),
  };
  return { pane: stand as unknown as ChatPane, done };
}

describe('branches of a conversation', () => {
  test('a fork keeps everything up to the end of the answer', async () => {
    const first = pane({ running: true });
    await forkItem(first.pane, 'a1');
    expect(first.done).toEqual([['branch', 2]]);
    const last = pane();
    await forkItem(last.pane, 'a3');
    expect(last.done[0]).toEqual(['branch', 4]);
  });

  test('a retry says the same again, in a branch that begins before it', async () => {
    const { pane: place, done } = pane();
    await retryItem(place, 'a3');
    expect(done).toEqual([
      ['branch', 2],
      ['send', messages[2]?.content],
    ]);
  });

  test('nothing is said where the person went on to another conversation before the branch was there', async () => {
    const { pane: place, done } = pane({ arrives: false });
    await retryItem(place, 'a3');
    await resendItem(place, 'u2', 'three');
    expect(done).toEqual([
      ['branch', 2],
      ['branch', 2],
    ]);
  });

  test('other words go with what was attached', async () => {
    const { pane: place, done } = pane();
    await resendItem(place, 'u2', 'three');
    expect(done).toEqual([
      ['branch', 2],
      ['send', [image, framed, { type: 'text', text: 'three' }]],
    ]);
  });

  test('words that look like something attached are replaced like any others', async () => {
    const { pane: place, done } = pane();
    await resendItem(place, 'u0', 'ones');
    expect(done).toEqual([
      ['branch', 0],
      ['send', [{ type: 'text', text: 'ones' }]],
    ]);
  });

  test('nothing is said again while a turn runs, nor for what is not there', async () => {
    const { pane: place, done } = pane({ running: true });
    await expect(retryItem(place, 'a1')).rejects.toThrow('still working');
    await expect(resendItem(place, 'u0', 'x')).rejects.toThrow('still working');
    await expect(forkItem(place, 'u99')).rejects.toThrow('no longer in this chat');
    await expect(retryItem(pane().pane, 'constructor')).rejects.toThrow('no longer in this chat');
    expect(done).toEqual([]);
  });
});
