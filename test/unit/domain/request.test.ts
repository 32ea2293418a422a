import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../../src/domain/errors.js';
import { type Request, validateRequest } from '../../../src/domain/model/provider.js';

const PLAIN: Request = { model: '', systemPrompt: '', messages: [], tools: [] };

describe('validateRequest', () => {
  it('takes a request with defaults (P29, P30, P31)', () => {
    expect(() => validateRequest(PLAIN)).not.toThrow();
  });

  it.each([0, -0, 0.7, 2])('takes the temperature %s (P33)', (temperature) => {
    expect(() => validateRequest({ ...PLAIN, temperature })).not.toThrow();
  });

  it.each([-Number.MIN_VALUE, -1, 2.0000001, NaN, Infinity, -Infinity])('refuses the temperature %s (P33)', (temperature) => {
    expect(() => validateRequest({ ...PLAIN, temperature })).toThrow(InvalidDataError);
    expect(() => validateRequest({ ...PLAIN, temperature })).toThrow(/^temperature: must be between 0 and 2, got /);
  });

  it.each([0, 1, 4_096, Number.MAX_SAFE_INTEGER])('takes %s as maxTokens (P34, 0 is the default)', (maxTokens) => {
    expect(() => validateRequest({ ...PLAIN, maxTokens })).not.toThrow();
  });

  it.each([-1, 0.5, NaN, Infinity])('refuses %s as maxTokens (P34)', (maxTokens) => {
    expect(() => validateRequest({ ...PLAIN, maxTokens })).toThrow(/^maxTokens: /);
  });
});
