import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { assertNever } from '../../../src/domain/assert-never.js';
import { AbortError, errorMessage, InvalidDataError, isAbortError, ProviderError, ToolInputError } from '../../../src/domain/errors.js';
import { type Plan, isReadOnly } from '../../../src/domain/tool/tool.js';

describe('isAbortError', () => {
  it('knows its own, the platform’s and the SDKs’ spelling', async () => {
    expect(isAbortError(new AbortError())).toBe(true);
    expect(isAbortError(AbortSignal.abort().reason)).toBe(true);
    const platform: unknown = await delay(1_000, undefined, { signal: AbortSignal.abort() }).catch((error: unknown) => error);
    expect(isAbortError(platform)).toBe(true);
    expect(isAbortError(Object.assign(new Error('x'), { name: 'APIUserAbortError' }))).toBe(true);
  });

  it.each([new Error('AbortError'), new ProviderError('network', 'gone'), 'AbortError', { name: 'AbortError' }, undefined, null])('not %s', (error) => {
    expect(isAbortError(error)).toBe(false);
  });
});

describe('errors', () => {
  it('ProviderError carries the facts beside its words', () => {
    const cause = new Error('socket hang up');
    const error = new ProviderError('rate_limit', 'Wait a little.', { status: 429, retryAfterMs: 1_500, requestId: 'req_1', cause });
    expect(error).toMatchObject({
      name: 'ProviderError',
      kind: 'rate_limit',
      message: 'Wait a little.',
      status: 429,
      retryAfterMs: 1_500,
      requestId: 'req_1',
      cause,
    });
    expect(new ProviderError('network', 'x')).toMatchObject({ status: undefined, retryAfterMs: undefined, requestId: undefined });
  });

  it('InvalidDataError begins with the place', () => {
    expect(new InvalidDataError('messages[2].role', 'unknown').message).toBe('messages[2].role: unknown');
    expect(new InvalidDataError('', 'not JSON')).toMatchObject({ name: 'InvalidDataError', message: 'not JSON', path: '' });
  });

  it('errorMessage has words for whatever was thrown', () => {
    expect(errorMessage(new ToolInputError('read it first'))).toBe('read it first');
    expect(errorMessage('plain')).toBe('plain');
    const getters = {
      get message(): string {
        throw new Error('inside');
      },
      toString: (): string => {
        throw new Error('inside');
      },
    };
    const odd = [getters, Object.create(null), Object.assign(new Error('x'), { message: getters }), Symbol('sign')];
    expect(odd.map(errorMessage)).toEqual(['unknown error', 'unknown error', 'unknown error', 'Symbol(sign)']);
    expect(errorMessage(undefined)).toBe('undefined');
    expect(errorMessage(null)).toBe('null');
  });

  it('assertNever throws for data that no type foresaw', () => {
    expect(() => assertNever({ type: 'new' } as never)).toThrow('Unexpected value: {"type":"new"}');
  });
});

describe('isReadOnly', () => {
  const plan = (...kinds: readonly Plan['accesses'][number]['kind'][]): Plan => ({
    tool: 't',
    subject: '',
    args: {},
    accesses: kinds.map((kind) => ({ kind, target: '/x' })),
    preview: { kind: 'none' },
    changes: [],
  });

  it('holds for reads alone', () => {
    expect(isReadOnly(plan('read', 'read'))).toBe(true);
    for (const kind of ['write', 'execute', 'network', 'interact'] as const) expect(isReadOnly(plan('read', kind))).toBe(false);
  });
});
