import { readdirSync, readFileSync } from 'node:fs';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../src/domain/model/content.js';
import type { Message } from '../../../src/domain/model/message.js';
import { type DecodedSession } from '../../../src/session/codec/decode.js';
import { encodeSession } from '../../../src/session/codec/encode.js';
import { readEnvelopeFile } from '../../../src/session/load.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { testStore, user } from './support/setup.js';
import { runs } from '../../support/runs.js';
import { decodeSession } from '../../support/decode-session.js';

const FIXTURES = join(import.meta.dirname, '../../fixtures/sessions');
const HEAD = { id: 'a', systemPrompt: 's', createdAt: '2026-02-18T12:00:00Z', updatedAt: '2026-02-18T12:00:00Z' };

/** Some bytes that are no text. */
function noise(length: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 17 + (index >> 7)) & 0xff);
}

function image(data: Uint8Array): Message {
  return {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      { type: 'image', data, mimeType: 'image/png' },
    ],
    timestamp: '2026-02-18T12:00:00Z',
  };
}

async function fileOf(messages: readonly Message[]): Promise<string> {
  const path = join(temporaryFolder(), 'a.json');
  await writeFile(
    path,
    encodeSession(
      HEAD,
      messages.map((message) => ({ message })),
    ),
  );
  return path;
}

/** What reading gives, or the text of its error. */
async function outcome(read: () => DecodedSession | Promise<DecodedSession>): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    return String(error);
  }
}

describe('a v1 file that is read piece by piece', () => {
  const names = ['accept', 'refuse'].flatMap((kind) => readdirSync(join(FIXTURES, kind)).map((name) => join(kind, name)));

  it.each([...names, 'written-by-pipe.json', 'written-by-pipe-empty.json'])('%s is read or refused as in one go', async (name) => {
    const path = join(FIXTURES, name);
    const whole = await outcome(() => decodeSession(readFileSync(path)));
    const pieces = await outcome(async () => (await readEnvelopeFile(path, { piece: 1, image: 4 })).session);
    expect(pieces).toEqual(whole);
  });

  it('gives the same session or the same error, whatever the bytes and however they come', async () => {
    const path = join(temporaryFolder(), 'a.json');
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '\n', '{', ']', 'é', '😀', '=', ' ', 'a') });
    const blocks = fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text'), text }),
        fc.record({ type: fc.constant('image'), data: fc.oneof(fc.base64String(), text), mime_type: text, more: fc.jsonValue({ maxDepth: 3 }) }),
      ),
    );
    const envelope = fc.record({
      more: fc.jsonValue({ maxDepth: 3 }),
      version: fc.constant(1),
      messages: fc.array(fc.record({ type: fc.constant('user'), content: blocks })),
      system_prompt: text,
    });
    const damage = fc.option(fc.record({ at: fc.nat(), bytes: fc.uint8Array({ maxLength: 3 }) }));
    await fc.assert(
      fc.asyncProperty(envelope, fc.constantFrom('', '  '), damage, fc.integer({ min: 1, max: 7 }), async (value, indent, damaged, piece) => {
        const whole = Buffer.from(JSON.stringify(value, undefined, indent));
        if (damaged !== null) whole.set(damaged.bytes, damaged.at % (whole.length - damaged.bytes.length));
        await writeFile(path, whole);
        expect(await outcome(async () => (await readEnvelopeFile(path, { piece, image: 4 })).session)).toEqual(await outcome(() => decodeSession(whole)));
      }),
      { numRuns: runs(300) },
    );
  });

  it('leaves only the image of a block in the file, wherever the bytes are divided', async () => {
    const path = join(temporaryFolder(), 'a.json');
    const base64 = 'QUJDREVGR0hJSktM';
    const found = async (block: string, piece: number): Promise<unknown> => {
      await writeFile(path, `{"version": 1, "data": "${base64}", "messages": [{"type": "assistant", "data": "${base64}", "content": [${block}]}]}`);
      return outcome(async () => {
        const { session } = await readEnvelopeFile(path, { piece, image: 8 });
        const blocks = session.messages.flatMap(({ message, content }): readonly ContentBlock[] => content ?? message.content);
        return blocks.flatMap((each) =>
          Object.getOwnPropertyDescriptor(each, 'data')?.get === undefined ? [] : [Buffer.from((each as { data: Uint8Array }).data).toString('base64')],
        ) as never;
      });
    };
    const image = (data: string): string => `{"type": "image", "data": "${data}"}`;
    const others = [
      `{"type": "text", "text": "${base64}"}`,
      `{"type": "text", "data": "${base64}"}`,
      `{"type": "tool_call", "arguments": {"data": "${base64}"}}`,
      `{"type": "image", "x": ["data", "${base64}"]}`,
      `{"type": "image", "x": "data", "y": "${base64}"}`,
      `{"type": "image", "data": "QUJD"}`,
      `{"type": "image", "data": "QUJDREVGR0h\\/SktM"}`,
      `{"type": "image", "\\"data": "${base64}"}`,
    ];
    const refused = [`${base64}A`, `A===${base64}`, `${base64}A===`, `QUI=${base64}`, `${base64}QU=A`, `${base64}QUI-`, `${base64}=`, `${base64} QU==`];
    for (let piece = 1; piece < 40; piece += 1) {
      expect(await found(`{"type": "image", "data" : "${base64}"}, {"data":"${base64}AB==", "type": "image"}, ${image(`${base64}ABA=`)}`, piece)).toEqual([
        base64,
        `${base64}AA==`,
        `${base64}ABA=`,
      ]);
      for (const other of others) expect(await found(other, piece), other).toEqual([]);
      for (const data of refused) expect(await found(image(data), piece), data).toMatch(/content\[0\]\.data: .*base64/);
    }
  });

  it('names line and column in the whole file', async () => {
    const path = join(temporaryFolder(), 'a.json');
    const message = '{"type": "user",\n"content": []},\n';
    await writeFile(path, `{"version": 1,\n"messages": [${message.repeat(50)}{"type" "user"}]}`);
    const whole = await outcome(() => decodeSession(readFileSync(path)));
    expect(whole).toContain('line 102, column 9');
    expect(await outcome(async () => (await readEnvelopeFile(path, { piece: 1, image: 4 })).session)).toBe(whole);
  });
});

describe('an image that stays in its file', () => {
  const data = noise(50_000);

  it('is read when somebody looks at it, and is written again as it was', async () => {
    const path = await fileOf([image(data), image(noise(100)), image(noise(60_000, 2))]);
    const { session } = await readEnvelopeFile(path);
    expect(session).toEqual(decodeSession(await readFile(path)));
    const blocks = session.messages.flatMap(({ message }): readonly ContentBlock[] => message.content).filter(({ type }) => type === 'image');
    const isLazy = blocks.map((block) => Object.getOwnPropertyDescriptor(block, 'data')?.get !== undefined);
    expect(isLazy).toEqual([true, false, true]);
    expect(Buffer.from(encodeSession(session, session.messages)).equals(await readFile(path))).toBe(true);
  });

  it('is found again when another window wrote the file anew', async () => {
    const path = await fileOf([image(data), image(data), image(noise(50_000, 3))]);
    const { session } = await readEnvelopeFile(path);
    const { messages } = session;
    await writeFile(
      `${path}.new`,
      encodeSession({ ...HEAD, systemPrompt: 'longer than before' }, [{ message: image(noise(50_000, 4)) }, ...messages, { message: user('more') }]),
    );
    await rename(`${path}.new`, path);
    expect(messages.map(({ message }) => message)).toEqual([image(data), image(data), image(noise(50_000, 3))]);
  });

  it('is told from others that begin alike, wherever it comes to stand', async () => {
    const images = [image(noise(60_000)), image(data)];
    for (const room of [0, 131_000, ...Array.from({ length: 20 }, (_, index) => 261_600 + index * 8)]) {
      const path = await fileOf(images);
      const { session } = await readEnvelopeFile(path);
      const messages = [user('x'.repeat(room)), image(noise(40_000)), image(noise(70_000)), images[0], user(`"${'QUJD'.repeat(20)}"`), images[1]];
      await writeFile(
        `${path}.new`,
        encodeSession(
          HEAD,
          messages.flatMap((message) => (message === undefined ? [] : [{ message }])),
        ),
      );
      await rename(`${path}.new`, path);
      expect(session.messages.map(({ message }) => message)).toEqual(images);
    }
  });

  it('is not mistaken for another one: says that it is gone', async () => {
    const path = await fileOf([image(data)]);
    const { session } = await readEnvelopeFile(path);
    await writeFile(path, encodeSession(HEAD, [{ message: image(noise(50_000, 9)) }]));
    expect(() => JSON.stringify(session.messages)).toThrow('another program changed its file');
  });

  it('survives folds of its session, which grows', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder, { newId: () => 'a' });
    const first = await store.create('');
    await first.recorder.append(image(data));
    await first.recorder.close();
    const { session, recorder } = await store.open('a');
    for (let turn = 0; turn < 3; turn += 1) {
      await recorder.append(image(noise(40_000, turn)));
      await recorder.append(user(`turn ${turn} ${'x'.repeat(turn * 1000)}`));
      await recorder.fold();
      expect(session.messages[0]).toEqual(image(data));
    }
    await recorder.close();
    expect((await store.open('a')).session.messages).toHaveLength(7);
    expect((await stat(join(folder, 'a.json'))).size).toBeGreaterThan(200_000);
  });
});
