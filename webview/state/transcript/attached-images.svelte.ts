import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Attachment } from '../../../src/protocol/host/composer-messages.js';
import type { Host } from '../connection/host.js';

/** The images that are attached, as addresses of this page by id. */
export class AttachedImages {
  readonly urls = new SvelteMap<string, string>();
  private readonly asked = new SvelteSet<string>();

  constructor(private readonly host: Host) {}

  /** Requests the images among what is attached, and releases the others. */
  follow(attachments: readonly Attachment[]): void {
    const wanted = new SvelteSet(attachments.flatMap(({ id, kind }) => (kind === 'image' ? [id] : [])));
    for (const id of [...this.asked]) if (!wanted.has(id)) this.drop(id);
    for (const id of wanted) if (!this.asked.has(id)) this.ask(id);
  }

  /** Takes the bytes of an image. */
  loaded(id: string, mimeType: string, data: Uint8Array): void {
    if (!this.asked.has(id) || this.urls.has(id) || !/^image\/(?:png|jpeg|gif|webp)$/.test(mimeType)) return;
    this.urls.set(id, URL.createObjectURL(new Blob([new Uint8Array(data)], { type: mimeType })));
  }

  private ask(id: string): void {
    this.asked.add(id);
    this.host.post({ type: 'load_attached_image', id });
  }

  private drop(id: string): void {
    this.asked.delete(id);
    const url = this.urls.get(id);
    if (url !== undefined) URL.revokeObjectURL(url);
    this.urls.delete(id);
  }
}
