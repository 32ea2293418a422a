import { expect, test } from 'vitest';
import { type ProviderErrorKind, ProviderError } from '../../../../src/domain/errors.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import type { PartBatch } from '../../../../src/provider/part-stream.js';
import { askingAgain, RefusalMemory } from '../../../../src/provider/refusal/asking-again.js';
import { thinkingIn } from '../../../../src/provider/refusal/left-out.js';

const timestamp = '2026-01-01T00:00:00Z';
const request: Request = {
  model: 'm',
  systemPrompt: '',
  tools: [],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Think.' }], timestamp },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: new Uint8Array([1]) },
        { type: 'text', text: 'Yes.' },
      ],
      stopReason: 'end_turn',
      rawStopReason: 'stop',
      usage: NO_USAGE,
      timestamp,
    },
    { role: 'user', content: [{ type: 'text', text: 'On.' }], timestamp },
  ],
};

/** A server that fails with what is next, or by what it is sent; says of each request whether it had the thinking. */
function server(fails: (hasThinking: boolean, number: number) => ProviderError | undefined): {
  readonly ask: () => Promise<string>;
  readonly asked: boolean[];
} {
  const memory = new RefusalMemory();
  const asked: boolean[] = [];
  async function* parts(sent: Request): AsyncGenerator<PartBatch, undefined> {
    const hasThinking = thinkingIn(sent.messages).length > 0;
    asked.push(hasThinking);
    const error = await Promise.resolve(fails(hasThinking, asked.length));
    if (error !== undefined) throw error;
    yield { type: 'text', index: 0, delta: 'Hello.' };
    return undefined;
  }
  const ask = async (): Promise<string> => {
    try {
      for await (const batch of askingAgain({ request, memory, server: () => '', parts })) return JSON.stringify(batch);
      return '';
    } catch (error) {
      return String(error);
    }
  };
  return { ask, asked };
}

const failure = (kind: ProviderErrorKind, status?: number): ProviderError => new ProviderError(kind, 'Nope.', status === undefined ? {} : { status });

test.each<[ProviderErrorKind, number | undefined, toldBefore: number]>([
  ['invalid_request', 400, 0],
  ['invalid_request', 422, 0],
  ['server', 501, 0],
  ['server', 500, 1],
  ['server', 502, 1],
  ['server', undefined, 1],
  ['permission', 403, 1],
  ['not_found', 404, 1],
])('thinking that is refused without a word, with %s %s, is left out from then on', async (kind, status, toldBefore) => {
  const { ask, asked } = server((hasThinking) => (hasThinking ? failure(kind, status) : undefined));
  const answers = [await ask(), await ask(), await ask()];
  expect(answers.at(-1)).toContain('Hello.');
  expect(asked.at(-1)).toBe(false);
  // An internal error may pass, and the account may be refused, so the first one is told.
  expect(answers.filter((answer) => !answer.includes('Hello.'))).toHaveLength(toldBefore);
  expect(asked.filter((had) => had)).toHaveLength(toldBefore + 1);
});

test.each<[ProviderErrorKind, number | undefined]>([
  ['server', 503],
  ['server', 504],
  ['server', 409],
  ['overloaded', 529],
  ['rate_limit', 429],
  ['authentication', 401],
  ['quota', 402],
  ['network', undefined],
  ['stalled', undefined],
])('what is about something else however often it comes is asked with its thinking: %s %s', async (kind, status) => {
  const { ask, asked } = server((_, number) => (number <= 3 ? failure(kind, status) : undefined));
  for (let time = 0; time < 3; time += 1) expect(await ask()).toContain('Nope.');
  expect(await ask()).toContain('Hello.');
  expect(asked).toEqual([true, true, true, true]);
});

test('what is refused without it, too, is guessed at once until there is an answer, and told as it was', async () => {
  let isBroken = true;
  const { ask, asked } = server(() => (isBroken ? failure('invalid_request', 400) : undefined));
  expect([await ask(), await ask()]).toEqual(['ProviderError: Nope.', 'ProviderError: Nope.']);
  expect(asked).toEqual([true, false, true]);
  isBroken = false;
  expect(await ask()).toContain('Hello.');
  isBroken = true;
  await ask();
  expect(asked).toEqual([true, false, true, true, true, false]);
});

test.each<[ProviderErrorKind, number | undefined]>([
  ['server', 500],
  ['server', 503],
  ['server', 502],
  ['overloaded', 529],
  ['rate_limit', 429],
  ['authentication', 401],
  ['permission', 403],
  ['quota', 402],
  ['network', undefined],
  ['stalled', undefined],
  ['context_length', 400],
])('a failure that passes, or is of something else, costs no thinking: %s %s', async (kind, status) => {
  const { ask, asked } = server((_, number) => (number === 1 ? failure(kind, status) : undefined));
  await ask();
  expect(await ask()).toContain('Hello.');
  expect(asked).toEqual([true, true]);
});

test('a guess that only another failure follows is not remembered', async () => {
  const { ask, asked } = server((hasThinking, number) => (number === 1 ? failure('invalid_request', 400) : hasThinking ? undefined : failure('network')));
  await ask();
  expect(await ask()).toContain('Hello.');
  expect(asked).toEqual([true, false, true]);
});
