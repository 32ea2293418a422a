import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { InputLines } from '../../../src/headless/ndjson/input-lines.js';
import type { WireMessage } from '../../../src/headless/ndjson/wire-content.js';
import { OutputLines } from '../../../src/headless/ndjson/output-lines.js';
import { anyCharacter } from '../../support/any-character.js';

describe('lines of input', () => {
  it('are the same whatever pieces they come in', () => {
    const value = fc.record({ type: fc.string({ unit: 'grapheme' }), text: fc.string({ unit: anyCharacter }) });
    fc.assert(
      fc.property(fc.array(value), fc.constantFrom('\n', '\r\n'), fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (values, end, sizes) => {
        const bytes = Buffer.from(values.map((each) => `${JSON.stringify(each)}${end}`).join(''));
        const lines = new InputLines();
        const read = [];
        for (let at = 0, n = 0; at < bytes.length; n += 1) {
          const size = sizes[n % sizes.length] ?? 1;
          read.push(...lines.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect([...read, ...lines.end()]).toEqual(values.map((each) => ({ kind: 'object', value: JSON.parse(JSON.stringify(each)) as unknown })));
      }),
    );
  });

  it('that are no object are said to be wrong, and the next one is read', () => {
    const lines = new InputLines();
    const read = lines.push(Buffer.from('\uFEFF{"type":"a"}\nnull\n\n[1]\n{"type":\n{"type":"b"}'));
    expect([...read, ...lines.end()].map((line) => (line.kind === 'object' ? line.value['type'] : line.why))).toEqual([
      'a',
      'A line is no JSON object.',
      'A line is no JSON object.',
      'A line is no JSON.',
      'b',
    ]);
  });

  it('of 20 MB are read', () => {
    const lines = new InputLines();
    const piece = Buffer.from('x'.repeat(64 * 1024));
    lines.push(Buffer.from('{"type":"long","text":"'));
    for (let count = 0; count < 320; count += 1) lines.push(piece);
    const [line] = lines.push(Buffer.from('"}\n'));
    expect(line?.kind === 'object' && String(line.value['text']).length).toBe(320 * 64 * 1024);
  });
});

/** A reader that takes nothing until it is told to. */
class HeldReader extends Writable {
  text = '';
  private held: (() => void)[] | undefined = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    if (this.held === undefined) done();
    else this.held.push(done);
  }

  release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const done of held) done();
  }

  get messages(): readonly WireMessage[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as WireMessage);
  }
}

const linesTo = (reader: Writable): OutputLines =>
  new OutputLines(
    reader,
    () => 'the session',
    () => undefined,
  );
const delta = (text: string, index = 0): WireMessage => ({
  type: 'stream_event',
  session_id: 's',
  uuid: 'u',
  event: { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
});

describe('lines of output', () => {
  it('wait for a slow reader, pieces of an answer as one, and nothing is lost', async () => {
    const reader = new HeldReader({ highWaterMark: 1 });
    const lines = linesTo(reader);
    lines.write({ type: 'first' });
    const pieces = Array.from({ length: 10_000 }, (_, n) => `word ${n} `);
    for (const piece of pieces) lines.write(delta(piece));
    lines.write(delta('other', 1));
    lines.write({ type: 'result' });
    reader.release();
    await lines.drained();
    const { messages } = reader;
    expect(messages.map(({ type }) => type)).toEqual(['first', 'stream_event', 'stream_event', 'result']);
    expect(messages[1]).toMatchObject({ event: { index: 0, delta: { text: pieces.join('') } } });
  });

  it('are never longer than a client can read: texts are cut with a mark, images left out, and a result is an error', async () => {
    const reader = new HeldReader();
    reader.release();
    const lines = linesTo(reader);
    const content = [
      { type: 'text', text: 'x'.repeat(900_000) },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(900_000) } },
    ];
    lines.write({ type: 'user', session_id: 's', uuid: 'u', message: { role: 'user', content } });
    lines.write({ type: 'result', subtype: 'success', result: 'y'.repeat(1_200_000), session_id: 's', uuid: 'v', permission_denials: [] });
    await lines.drained();
    expect(Math.max(...reader.text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(1_000_000);
    expect(reader.messages[0]).toMatchObject({
      message: { content: [{ type: 'text' }, { type: 'text', text: '[An image is left out here. It is in the session.]' }] },
    });
    expect(JSON.stringify(reader.messages[0])).toContain('more characters are left out here');
    expect(reader.messages[1]).toMatchObject({ subtype: 'error_during_execution', is_error: true, session_id: 's' });
  });

  it('say what was denied also where that is long, beside an answer that is whole, and beside one that is too long itself', async () => {
    const reader = new HeldReader();
    reader.release();
    const lines = linesTo(reader);
    const denials = Array.from({ length: 3 }, (_, n) => ({ tool_name: 'Write', tool_use_id: `call-${n}`, tool_input: { content: 'z'.repeat(600_000) } }));
    const result = { type: 'result', subtype: 'success', is_error: false, session_id: 's', uuid: 'v', permission_denials: denials };
    lines.write({ ...result, result: 'y'.repeat(500_000) });
    lines.write({ ...result, result: 'y'.repeat(1_200_000) });
    await lines.drained();
    const denied = denials.map(({ tool_use_id }) => ({
      tool_name: 'Write',
      tool_use_id,
      tool_input: { content: expect.stringMatching(/^z{9}.*more characters are left out/s) as string },
    }));
    expect(reader.messages).toMatchObject([
      { subtype: 'success', is_error: false, result: 'y'.repeat(500_000), permission_denials: denied },
      { subtype: 'error_during_execution', is_error: true, permission_denials: denied },
    ]);
    expect(Math.max(...reader.text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(1_000_000);
  });

  it('K-09: find out that their reader is gone, also where there is nothing to say', async () => {
    let isGone = false;
    const output = new Writable({ write: (_chunk, _encoding, done) => done(isGone ? new Error('EPIPE') : null) });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const broken = vi.fn();
      const stop = new OutputLines(output, () => '', broken).lookAfterReader();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(broken).not.toHaveBeenCalled();
      isGone = true;
      await vi.advanceTimersByTimeAsync(4_000);
      expect(broken).toHaveBeenCalledOnce();
      stop();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are one line each for readers that also end one at U+2028', async () => {
    const reader = new HeldReader();
    reader.release();
    const lines = linesTo(reader);
    lines.write({ type: 'a', text: 'x\u2028y\u2029z\nw' });
    await lines.drained();
    expect(reader.text.split(/[\n\u2028\u2029]/)).toHaveLength(2);
    expect(reader.messages[0]).toMatchObject({ text: 'x\u2028y\u2029z\nw' });
  });
});
