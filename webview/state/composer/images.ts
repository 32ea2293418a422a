import type { LoadedImage, TranscriptMessage } from '../../../src/protocol/host/transcript-messages.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import { IMAGE_TYPES } from './image-types.js';

/** Identifies an image: of a message, or of a tool result in it. */
export interface ImageName {
  readonly item: string;
  readonly call?: string;
  readonly index: number;
}

/** Is given the address of an image, or `undefined` when it cannot be shown. */
export type ImageListener = (url: string | undefined) => void;

interface Held {
  readonly listeners: Set<ImageListener>;
  /** Present once the host has answered. */
  result?: { readonly url: string | undefined };
}

/** The images that the page shows. Each is requested once, and released when nothing shows it any more. */
export class Images {
  private readonly held = new Map<string, Held>();

  constructor(private readonly post: (message: PanelMessage) => void) {}

  /** Requests an image. @returns how to release it. */
  show(name: ImageName, listener: ImageListener): () => void {
    const key = keyOf(name);
    let held = this.held.get(key);
    if (held === undefined) {
      held = { listeners: new Set() };
      this.held.set(key, held);
      this.post({ type: 'load_image', ...name });
    }
    held.listeners.add(listener);
    if (held.result !== undefined) listener(held.result.url);
    return () => this.release(key, listener);
  }

  /** The host's answer. */
  answer({ image, ...name }: Extract<TranscriptMessage, { type: 'image' }>): void {
    const held = this.held.get(keyOf(name));
    if (held === undefined || held.result !== undefined) return;
    const url = image === undefined ? undefined : urlOf(image);
    held.result = { url };
    for (const listener of held.listeners) listener(url);
  }

  /** Forgets all of them: another conversation has others under the same names. */
  clear(): void {
    for (const { result } of this.held.values()) revoke(result?.url);
    this.held.clear();
  }

  private release(key: string, listener: ImageListener): void {
    const held = this.held.get(key);
    if (held?.listeners.delete(listener) !== true || held.listeners.size > 0) return;
    this.held.delete(key);
    revoke(held.result?.url);
  }
}

function keyOf({ item, call, index }: ImageName): string {
  return JSON.stringify([item, call ?? null, index]);
}

/** Only images made of pixels get an address. */
function urlOf({ mimeType, data }: LoadedImage): string | undefined {
  if (!IMAGE_TYPES.has(mimeType)) return undefined;
  return URL.createObjectURL(new Blob([new Uint8Array(data)], { type: mimeType }));
}

function revoke(url: string | undefined): void {
  if (url !== undefined) URL.revokeObjectURL(url);
}
