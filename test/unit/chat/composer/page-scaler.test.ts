import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ImageBytes } from '../../../../src/domain/workspace/image.js';
import type { HostMessage } from '../../../../src/protocol/messages.js';
import { PageScaler } from '../../../../src/chat/composer/page-scaler.js';

const IMAGE: ImageBytes = { mimeType: 'image/png', data: new Uint8Array([9, 1, 2, 9]).subarray(1, 3) };
const never = new AbortController().signal;

/** A scaler whose messages to a page are kept; `seen` says whether a page is in view. */
function scaler(seen = true): { readonly pages: PageScaler; readonly asked: HostMessage[] } {
  const asked: HostMessage[] = [];
  return { asked, pages: new PageScaler((message) => seen && asked.push(message) > 0) };
}

describe('stream-23: a page makes images smaller', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('each answer goes to who asked for it', async () => {
    const { pages, asked } = scaler();
    const [first, second] = [pages.smaller(IMAGE, never), pages.smaller(IMAGE, never)];
    expect(asked).toMatchObject([{ type: 'scale_image', request: 1, mimeType: 'image/png' }, { request: 2 }]);
    const [{ data } = {}] = asked as readonly { readonly data?: Uint8Array }[];
    // Only the image crosses, not the rest of the buffer that it lies in.
    expect([...(data ?? [])]).toEqual([1, 2]);
    expect(data?.buffer.byteLength).toBe(2);
    pages.answered(2, new Uint8Array([22]));
    pages.answered(1, undefined);
    pages.answered(7, new Uint8Array([77]));
    expect([await first, await second]).toEqual([undefined, new Uint8Array([22])]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('without a page in view it is known at once that there is none', async () => {
    expect(await scaler(false).pages.smaller(IMAGE, never)).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a page that does not answer is not waited for, and its late answer does no harm', async () => {
    const { pages } = scaler();
    const waiting = pages.smaller(IMAGE, never);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toBeUndefined();
    pages.answered(1, new Uint8Array([1]));
  });

  test('Stop ends the wait', async () => {
    const { pages, asked } = scaler();
    const stop = new AbortController();
    const waiting = pages.smaller(IMAGE, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(vi.getTimerCount()).toBe(0);
    await expect(pages.smaller(IMAGE, stop.signal)).rejects.toThrow(/abort/i);
    expect(asked).toHaveLength(1);
  });
});
