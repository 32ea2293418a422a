import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ProviderErrorDetails, type ProviderErrorKind, AbortError, ProviderError } from '../../../../src/domain/errors.js';
import { EmptyAnswerError } from '../../../../src/engine/turn/outcome.js';
import { MAX_BACKOFF_MS, MAX_RETRY_AFTER_MS, retryDecision } from '../../../../src/engine/turn/retry.js';

const first = { attempt: 1, maxRetries: 8, onceUsed: false };

function failed(kind: ProviderErrorKind, details: ProviderErrorDetails = {}): ProviderError {
  return new ProviderError(kind, 'It failed.', details);
}

describe('stream-08: what is tried again', () => {
  test.each<[ProviderErrorKind, number | undefined]>([
    ['rate_limit', 429],
    ['overloaded', 529],
    ['server', 500],
    ['server', 502],
    ['server', 503],
    ['server', 504],
    ['server', 408],
    ['server', undefined],
    ['network', undefined],
    ['interrupted', undefined],
    ['stalled', undefined],
    ['protocol', undefined],
  ])('%s with status %s', (kind, status) => {
    expect(retryDecision(failed(kind, status === undefined ? {} : { status }), first, 0.5).type).toBe('retry');
  });

  test.each<[ProviderErrorKind, number | undefined]>([
    ['invalid_request', 400],
    ['authentication', 401],
    ['permission', 403],
    ['not_found', 404],
    ['too_large', 413],
    ['server', 501],
    ['server', 505],
    ['quota', 429],
    ['context_length', 400],
    ['consent', undefined],
    ['no_key', undefined],
    ['not_a_stream', 200],
  ])('never %s with status %s', (kind, status) => {
    expect(retryDecision(failed(kind, status === undefined ? {} : { status }), first, 0.5).type).toBe('stop');
  });

  test('nothing that is no failure of a model', () => {
    for (const error of [new Error('x'), new AbortError(), 'text', undefined]) expect(retryDecision(error, first, 0).type).toBe('stop');
  });

  test('stream-10: never what only the person can end', () => {
    expect(retryDecision(failed('network', { retryAfterMs: Infinity }), first, 0).type).toBe('stop');
  });

  test('stream-11, stream-13: silence and an empty answer once', () => {
    for (const error of [failed('stalled'), new EmptyAnswerError()]) {
      expect(retryDecision(error, { ...first, attempt: 4 }, 0).type).toBe('retry');
      expect(retryDecision(error, { ...first, attempt: 4, onceUsed: true }, 0).type).toBe('stop');
    }
    expect(retryDecision(failed('server'), { ...first, onceUsed: true }, 0).type).toBe('retry');
  });

  test('as often as the setting says, and not at all with 0', () => {
    expect(retryDecision(failed('server'), { ...first, attempt: 8 }, 0).type).toBe('retry');
    expect(retryDecision(failed('server'), { ...first, attempt: 9 }, 0).type).toBe('stop');
    expect(retryDecision(failed('server'), { ...first, maxRetries: 0 }, 0).type).toBe('stop');
    expect(retryDecision(new EmptyAnswerError(), { ...first, maxRetries: 0 }, 0).type).toBe('stop');
  });
});

describe('how long is waited', () => {
  test('twice as long each time, up to half a minute', () => {
    const most = [1, 2, 3, 4, 5, 6, 20].map((attempt) => {
      const decision = retryDecision(failed('server'), { attempt, maxRetries: 20, onceUsed: false }, 0.999_999_9);
      return decision.type === 'retry' ? decision.delayMs : undefined;
    });
    expect(most).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test('at random between half of that and all of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, random) => {
        const decision = retryDecision(failed('overloaded'), { attempt, maxRetries: 20, onceUsed: false }, random);
        const full = Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** (attempt - 1));
        expect(decision).toMatchObject({ type: 'retry' });
        if (decision.type !== 'retry') return;
        expect(decision.delayMs).toBeGreaterThanOrEqual(full / 2);
        expect(decision.delayMs).toBeLessThanOrEqual(full);
      }),
    );
  });

  test.each<[string, number | undefined, number, number]>([
    ['none', undefined, 500, 1_000],
    ['0 seconds', 0, 500, 1_000],
    ['1 second', 1_000, 1_000, 2_000],
    ['a date 90 seconds away', 90_000, 90_000, 91_000],
    ['10 minutes', MAX_RETRY_AFTER_MS, MAX_RETRY_AFTER_MS, MAX_RETRY_AFTER_MS + 1_000],
  ])('stream-07: a wish of %s is a lower bound, and the backoff too', (_name, retryAfterMs, least, most) => {
    for (const random of [0, 0.5, 0.999]) {
      const decision = retryDecision(failed('rate_limit', retryAfterMs === undefined ? {} : { retryAfterMs }), first, random);
      expect(decision.type).toBe('retry');
      if (decision.type !== 'retry') return;
      expect(decision.delayMs).toBeGreaterThanOrEqual(least);
      expect(decision.delayMs).toBeLessThanOrEqual(most);
    }
  });

  test('stream-07: an hour is not waited for', () => {
    expect(retryDecision(failed('rate_limit', { retryAfterMs: 3_600_000 }), first, 0)).toEqual({ type: 'stop' });
  });
});
