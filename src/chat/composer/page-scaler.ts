import type { ImageBytes, ImageScaler } from '../../domain/workspace/image.js';
import type { HostMessage } from '../../protocol/messages.js';

/** Milliseconds for an answer; a page that draws a long conversation is busy for a while. */
const ANSWER_MS = 10_000;

/** Has a page of the chat make images smaller: the browser knows every kind, and decodes them away from this process. */
export class PageScaler implements ImageScaler {
  private readonly waiting = new Map<number, (data?: Uint8Array) => void>();
  private requests = 0;

  /** @param post posts to a page that is in view; returns whether there is one. A hidden page does not work. */
  constructor(private readonly post: (message: HostMessage) => boolean) {}

  async smaller({ mimeType, data }: ImageBytes, signal: AbortSignal): Promise<Uint8Array | undefined> {
    signal.throwIfAborted();
    const request = (this.requests += 1);
    const answer = new Promise<Uint8Array | undefined>((resolve) => this.waiting.set(request, resolve));
    const end = (): void => this.answered(request, undefined);
    const late = setTimeout(end, ANSWER_MS);
    signal.addEventListener('abort', end, { once: true });
    // A part of a larger buffer would cross as all of it.
    if (!this.post({ type: 'scale_image', request, mimeType, data: new Uint8Array(data) })) end();
    const scaled = await answer;
    clearTimeout(late);
    signal.removeEventListener('abort', end);
    signal.throwIfAborted();
    return scaled;
  }

  /** A page has answered; without `data` it could not do it. */
  answered(request: number, data: Uint8Array | undefined): void {
    this.waiting.get(request)?.(data);
    this.waiting.delete(request);
  }
}
