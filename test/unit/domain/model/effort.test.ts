import { describe, expect, it } from 'vitest';
import { closestEffort, THINKING_EFFORTS, USUAL_EFFORTS } from '../../../../src/domain/model/effort.js';

describe('the effort that a model is asked for', () => {
  it.each([
    [THINKING_EFFORTS, 'xhigh', 'xhigh'],
    [USUAL_EFFORTS, 'max', 'high'],
    [USUAL_EFFORTS, 'minimal', 'off'],
    [['low', 'medium', 'high'], 'minimal', 'low'],
    [['low', 'medium', 'high'], 'off', 'low'],
    [['high'], 'off', 'high'],
    [[], 'max', 'off'],
  ] as const)('of %j for %s is %s', (efforts, wanted, asked) => {
    expect(closestEffort(efforts, wanted)).toBe(asked);
  });
});
