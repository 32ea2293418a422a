import type { Work, WorkQueue } from '../state/connection/work-queue.js';
import type { BlockSink } from './block-sink.js';
import type { BlockSplitter } from './block-splitter.js';
import { ChunkedText } from './chunked-text.js';
import { engineIfLoaded, loadEngine } from './load-engine.js';
import type { BlockSource, Piece } from './pieces.js';

/** Characters that are parsed and rendered in a step. */
const PORTION = 2_048;
/** Milliseconds that rendering the open block may take before it is done less often. */
const SLOW_MS = 4;
/** By how much a slow open block has to grow before it is rendered again. */
const SLOW_GROWTH = 1.25;
/** Characters at the end of a text that say whether another one continues from it. */
const COMPARED = 64;

interface Rendering {
  readonly splitter: BlockSplitter;
  readonly sink: BlockSink;
}

/** Callbacks of a {@link MarkdownView}. */
export interface ViewDeps {
  /** Hears when the engine or a language cannot be loaded; the text stays plain then. */
  readonly failed: (error: unknown) => void;
  /** A block is in the page that is not made again. */
  readonly finished: (block: Element) => void;
}

/** A growing text of Markdown in an element. Shown as plain text until the Markdown engine is loaded. */
export class MarkdownView implements Work {
  private text = '';
  private done = false;
  private finished = false;
  private taken = 0;
  private rendering: Rendering | undefined;
  private plain: ChunkedText | undefined;
  /** Length of the open block when it was rendered last. */
  private rendered = 0;
  /** Length from which on it is rendered again. */
  private renderAt = 0;
  /** Whether the open block is shown as it is now. */
  private openShown = false;
  private destroyed = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly queue: WorkQueue,
    private readonly deps: ViewDeps,
  ) {
    if (engineIfLoaded() === undefined) loadEngine().then(() => this.queueUp(), deps.failed);
  }

  /** Shows a text; `done` when it will not grow any more. A text that does not continue from the last one starts anew. */
  update(text: string, done: boolean): void {
    if (text === this.text && done === this.done) return;
    if (!goesOn(this.text, text) || (this.done && text !== this.text)) this.reset();
    this.text = text;
    this.done = done;
    this.openShown = false;
    this.queueUp();
  }

  /** Ends all work. */
  destroy(): void {
    this.destroyed = true;
    this.queue.remove(this);
  }

  /** Renders the next portion, the open block when all portions are rendered, and colors code and draws formulas when nothing else is left anywhere. */
  step(): boolean | 'later' {
    const engine = engineIfLoaded();
    if (engine === undefined) return this.stepPlain();
    this.rendering ??= this.begin(engine);
    if (this.taken < this.text.length) this.takePortion(this.rendering);
    else if (this.done && !this.finished) this.finish(this.rendering);
    else if (this.openShown) return this.rendering.sink.decorate() && 'later';
    else this.showOpen(this.rendering);
    return true;
  }

  private takePortion({ splitter, sink }: Rendering): void {
    const portion = this.text.slice(this.taken, this.taken + PORTION);
    this.taken += portion.length;
    this.add(sink, splitter.push(portion));
  }

  private finish({ splitter, sink }: Rendering): void {
    this.finished = true;
    this.add(sink, splitter.finish());
  }

  private add(sink: BlockSink, pieces: readonly Piece[]): void {
    if (pieces.length === 0) return;
    // The open block is another one now: what is shown of the one before is given out with the pieces.
    sink.showOpen({ source: '', continued: false });
    this.renderAt = 0;
    sink.add(pieces);
  }

  /** A block that takes long to render is rendered when it has grown by a quarter; until then its end is plain text. */
  private showOpen({ splitter, sink }: Rendering): void {
    this.openShown = true;
    const open: BlockSource = this.done ? { source: '', continued: false } : splitter.open;
    if (open.source.length < this.renderAt) {
      sink.extendOpen(open.source.slice(this.rendered));
      return;
    }
    const before = performance.now();
    sink.showOpen(open);
    const slow = performance.now() - before > SLOW_MS;
    this.rendered = open.source.length;
    this.renderAt = slow ? this.rendered * SLOW_GROWTH : 0;
  }

  private begin(engine: NonNullable<ReturnType<typeof engineIfLoaded>>): Rendering {
    this.plain = undefined;
    this.taken = 0;
    this.root.replaceChildren();
    const { failed, finished } = this.deps;
    const sink = new engine.BlockSink(this.root, engine.renderBlocks, { failed, finished, wake: () => this.queueUp() });
    return { splitter: new engine.BlockSplitter(), sink };
  }

  private stepPlain(): boolean {
    this.plain ??= new ChunkedText(this.root);
    this.plain.append(this.text.slice(this.taken));
    this.taken = this.text.length;
    return false;
  }

  private reset(): void {
    this.rendering = undefined;
    this.plain = undefined;
    this.taken = 0;
    this.finished = false;
    this.renderAt = 0;
    this.openShown = false;
    this.root.replaceChildren();
  }

  private queueUp(): void {
    if (!this.destroyed) this.queue.add(this);
  }
}

/** Whether a text is another one with more at its end, judged by the end of the other. */
function goesOn(before: string, after: string): boolean {
  const at = Math.max(0, before.length - COMPARED);
  return after.length >= before.length && after.startsWith(before.slice(at), at);
}
