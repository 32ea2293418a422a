import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameLoop } from '../../../webview/state/connection/frame.js';

/** Frames that are taken by hand. */
const frames = new Map<number, () => void>();
let last = 0;

function takeFrame(): void {
  const [first] = frames;
  if (first === undefined) throw new Error('No frame was asked for.');
  frames.delete(first[0]);
  first[1]();
}

beforeEach(() => {
  // A frame that does not come in time is taken by a timer, which must not outlive the test.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
    frames.set((last += 1), callback);
    return last;
  });
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id));
});
afterEach(() => {
  frames.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('work that comes up in a frame is done in it and asks for no other', () => {
  const done: string[] = [];
  const loop: FrameLoop = new FrameLoop({
    apply: () => {
      done.push('apply');
      loop.request();
    },
    render: () => {
      done.push('render');
      loop.request();
      return false;
    },
  });
  loop.request();
  loop.request();
  expect(frames.size).toBe(1);
  takeFrame();
  expect(done).toEqual(['apply', 'render']);
  expect(frames.size).toBe(0);
});

test('what is left brings on the next frame, also after a failure', () => {
  let left = 2;
  const loop = new FrameLoop({ apply: () => undefined, render: () => (left -= 1) > 0 });
  loop.request();
  takeFrame();
  expect(frames.size).toBe(1);
  takeFrame();
  expect(frames.size).toBe(0);
  let asks = true;
  const failing: FrameLoop = new FrameLoop({
    apply: () => {
      if (asks) failing.request();
      throw new Error('apply');
    },
    render: () => false,
  });
  failing.request();
  expect(takeFrame).toThrow('apply');
  expect(frames.size).toBe(1);
  asks = false;
  expect(takeFrame).toThrow('apply');
  expect(frames.size).toBe(0);
  failing.request();
  expect(frames.size).toBe(1);
});
