import { untrack } from 'svelte';
import type { ViewState } from '../../src/protocol/view-state.js';
import type { Panel } from './panel.svelte.js';
import type { Work } from './work-queue.js';

/** Items shown at once when a conversation is opened; fits into a frame. */
const FIRST = 6;
/** Items added per step after that. */
const PER_STEP = 2;
/** Items shown of a long conversation, and by how many more on request. */
const WINDOW = 60;

/** Which part of a long conversation is in the page: its end, growing towards the start in steps and on request. */
export class TranscriptWindow implements Work {
  /** Index of the first item shown. */
  start = $state(0);
  private target = $state(0);
  private readonly panel: Panel;
  private shown: ViewState | undefined;
  private session = '';

  constructor(panel: Panel) {
    this.panel = panel;
  }

  /** How many items before the first are not shown. */
  get hidden(): number {
    return this.start;
  }

  /** Whether everything is shown that was asked for. */
  get settled(): boolean {
    return this.start <= this.target;
  }

  /** Begins at the end of a conversation. The same one again, after a new snapshot, keeps what was shown of it. */
  reset(session: string, view: ViewState): void {
    untrack(() => {
      if (view === this.shown) return;
      const same = session === this.session;
      this.shown = view;
      this.session = session;
      const count = view.items.length;
      if (same && this.start <= count) return;
      this.target = Math.max(0, count - WINDOW);
      this.start = Math.max(this.target, count - FIRST);
      this.panel.queue.add(this);
    });
  }

  /** Shows more of the start. */
  showEarlier(): void {
    this.target = Math.max(0, this.target - WINDOW);
    this.panel.queue.add(this);
  }

  step(): boolean {
    if (this.settled) return false;
    this.start = Math.max(this.target, this.start - PER_STEP);
    this.panel.flush();
    return !this.settled;
  }
}
