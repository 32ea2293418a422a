import { SvelteMap } from 'svelte/reactivity';
import { type ViewItem, type ViewState, emptyViewState } from '../../../src/protocol/view-state.js';
import type { HeldStore } from './held-items.js';

/** The loaded part of a conversation, reactive, so that components follow every change. */
export class ReactiveStore implements HeldStore {
  view = $state<ViewState>(emptyViewState('', ''));
  start = $state(0);
  readonly early = new SvelteMap<number, ViewItem>();

  reactive(item: ViewItem): ViewItem {
    const followed = $state(item);
    return followed;
  }
}
