import { describe, expect, it } from 'vitest';
import { InstructionHistory } from '../../../src/inline-edit/instruction-history.js';

/** A history of some instructions, as a prompt that was just opened finds it. */
function of(...instructions: readonly string[]): InstructionHistory {
  const history = new InstructionHistory();
  for (const words of instructions) history.add(words);
  return history;
}

describe('the instructions of before', () => {
  it('come from the latest to the oldest and back, and behind the latest what the user had written', () => {
    const history = of('first', 'second');
    expect(history.step('mine', 'older')).toBe('second');
    expect(history.step('second', 'older')).toBe('first');
    expect(history.step('first', 'older')).toBeUndefined();
    expect(history.step('first', 'newer')).toBe('second');
    expect(history.step('second', 'newer')).toBe('mine');
    expect(history.step('mine', 'newer')).toBeUndefined();
  });

  it('are there once each, at their last place; blank ones are not kept', () => {
    const history = of('first', 'second', 'first', '  ');
    expect([history.step('', 'older'), history.step('first', 'older'), history.step('second', 'older')]).toEqual(['first', 'second', undefined]);
  });

  it('begin at the latest again in the next prompt, without what was written in the one before', () => {
    const history = of('first', 'second');
    history.step('mine', 'older');
    history.step('second', 'older');
    history.restart();
    expect(history.step('', 'older')).toBe('second');
    expect(history.step('second', 'newer')).toBe('');
  });

  it('are not more than fifty', () => {
    const history = of(...Array.from({ length: 60 }, (_, index) => `number ${index}`));
    let steps = 0;
    while (history.step('', 'older') !== undefined) steps += 1;
    expect(steps).toBe(50);
  });
});
