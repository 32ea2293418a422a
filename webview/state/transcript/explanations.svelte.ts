import { SvelteMap } from 'svelte/reactivity';
import type { ModelExplanation, TranscriptMessage } from '../../../src/protocol/host/transcript-messages.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';

/** What there is to show of how a model was chosen: nothing yet, or what the host has said, which may be that it is not known. */
export type Told = { readonly loading: true } | { readonly loading: false; readonly explanation: ModelExplanation | undefined };

/** How the models of those answers were chosen of which the user has asked that. */
export class Explanations {
  private readonly told = new SvelteMap<string, Told>();

  constructor(private readonly post: (message: PanelMessage) => void) {}

  /** `undefined` for an answer of which it is not shown. Reactive. */
  of(item: string): Told | undefined {
    return this.told.get(item);
  }

  /** Shows it, always as it is now, or hides it. */
  toggle(item: string): void {
    if (this.told.delete(item)) return;
    this.told.set(item, { loading: true });
    this.post({ type: 'explain_model', item });
  }

  /** Takes an answer of the host; one that the user does not look at is ignored. */
  answer({ item, explanation }: Extract<TranscriptMessage, { type: 'model_explained' }>): void {
    if (this.told.has(item)) this.told.set(item, { loading: false, explanation });
  }

  clear(): void {
    this.told.clear();
  }
}
