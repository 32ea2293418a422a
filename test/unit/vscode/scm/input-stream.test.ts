import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TextBox, InputStream } from '../../../../src/vscode/scm/input-stream.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A box in a window, which hears of a write later, and takes it only when nothing was typed since. */
class SlowBox implements TextBox {
  /** What the window shows. */
  shown = 'begun';
  /** What the extension host knows of it. */
  value = 'begun';

  async replace(text: string): Promise<boolean> {
    const { value } = this;
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (this.shown !== value) return false;
    this.shown = this.value = text;
    return true;
  }

  /** What the person types is known later. */
  type(text: string): void {
    this.shown = text;
    setTimeout(() => (this.value = text), 30);
  }
}

function rig() {
  const box = new SlowBox();
  const typed = vi.fn();
  return { box, typed, input: new InputStream(box, typed) };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('a text that is written into a box', () => {
  it('comes in few steps, and whole at the end', async () => {
    const { box, typed, input } = rig();
    for (const text of ['A', 'Ad', 'Add']) input.show(text);
    expect(box.shown).toBe('begun');
    await pass(100);
    expect(box.shown).toBe('Add');
    input.show('Add a');
    const done = input.finish();
    await pass(100);
    await done;
    expect(box.shown).toBe('Add a');
    expect(typed).not.toHaveBeenCalled();
  });

  it.each([0, 10, 40, 55, 65, 75, 100, 120, 130])('gives way to what the person types, at once and for good: after %i ms', async (when) => {
    const { box, typed, input } = rig();
    input.show('Add');
    await pass(when);
    box.type('mine');
    await pass(Math.max(0, 100 - when));
    input.show('Add a');
    await pass(100);
    input.show('Add a b');
    await pass(100);
    const done = input.undo();
    await pass(100);
    await done;
    expect(box.shown).toBe('mine');
    expect(typed).toHaveBeenCalledTimes(1);
  });

  it('is taken back to what was there before', async () => {
    const { box, input } = rig();
    input.show('Add');
    await pass(100);
    input.show('Add a');
    const done = input.undo();
    await pass(200);
    await done;
    expect(box.shown).toBe('begun');
  });

  it('tells at its end that it could not be written', async () => {
    const { box, input } = rig();
    box.replace = () => Promise.reject(new Error('gone'));
    input.show('Add');
    await pass(100);
    await expect(input.finish()).rejects.toThrow('gone');
  });
});
