import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InputStream } from '../../../../src/vscode/scm/input-stream.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function rig() {
  const box = { value: 'begun' };
  const typed = vi.fn();
  return { box, typed, input: new InputStream(box, typed) };
}

describe('a text that is written into a box', () => {
  it('comes in few steps, and whole at the end', () => {
    const { box, typed, input } = rig();
    for (const text of ['A', 'Ad', 'Add']) input.show(text);
    expect(box.value).toBe('begun');
    vi.advanceTimersByTime(100);
    expect(box.value).toBe('Add');
    input.show('Add a');
    input.finish();
    expect(box.value).toBe('Add a');
    expect(typed).not.toHaveBeenCalled();
  });

  it('gives way to what the person types, at once and for good', () => {
    const { box, typed, input } = rig();
    input.show('Add');
    vi.advanceTimersByTime(100);
    box.value = 'mine';
    input.show('Add a');
    vi.advanceTimersByTime(100);
    input.show('Add a b');
    vi.advanceTimersByTime(100);
    input.undo();
    expect(box.value).toBe('mine');
    expect(typed).toHaveBeenCalledTimes(1);
  });

  it('is taken back to what was there before', () => {
    const { box, input } = rig();
    input.show('Add');
    vi.advanceTimersByTime(100);
    input.show('Add a');
    input.undo();
    vi.advanceTimersByTime(100);
    expect(box.value).toBe('begun');
  });
});
