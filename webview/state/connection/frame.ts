/** Milliseconds after which work runs although no frame came: the page is hidden. */
const HIDDEN_DELAY_MS = 100;
/** Milliseconds of script that one frame may spend on rendering, so that layout and input still fit into it. */
const MAX_BUDGET_MS = 6;
const FIRST_BUDGET_MS = 4;
const MIN_BUDGET_MS = 1;
/** A frame that takes longer than this, with its layout and painting, makes the next ones do less. */
const LONG_FRAME_MS = 20;
/** One that used up its time and takes no longer than this makes the next ones do more. */
const SHORT_FRAME_MS = 14;

/** Phases of work in an animation frame. */
export interface FramePhases {
  /** Brings the state up to date. */
  readonly apply: () => void;
  /** Renders until the deadline (of `performance.now()`); `true` when there is more to do. */
  readonly render: (deadline: number) => boolean;
}

/**
 * Collects work for the next animation frame. A hidden page gets no frames, so a timer replaces them. The time for
 * rendering adapts to what frames cost as a whole: the layout of a table takes longer than making its elements.
 */
export class FrameLoop {
  private frame: number | undefined;
  private working = false;
  private asked = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private budget = FIRST_BUDGET_MS;
  private started = 0;
  private readonly afterFrame = new MessageChannel();

  constructor(private readonly phases: FramePhases) {
    this.afterFrame.port1.onmessage = () => this.adapt(performance.now() - this.started);
  }

  /** Asks for a frame; many requests make one. Work that comes up in a frame is done in it, or brings on the next. */
  readonly request = (): void => {
    this.asked = true;
    if (this.frame !== undefined || this.working) return;
    this.frame = requestAnimationFrame(this.run);
    this.timer = setTimeout(this.run, HIDDEN_DELAY_MS);
  };

  private readonly run = (): void => {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.frame = undefined;
    this.started = performance.now();
    this.work();
    // Arrives when the frame is painted.
    this.afterFrame.port2.postMessage(undefined);
  };

  private work(): void {
    this.working = true;
    this.asked = false;
    try {
      this.phases.apply();
      // What was asked for so far has been done, or is part of what is left.
      this.asked = this.phases.render(performance.now() + this.budget);
    } finally {
      this.working = false;
      if (this.asked) this.request();
    }
  }

  private adapt(duration: number): void {
    if (duration > LONG_FRAME_MS) this.budget = Math.max(MIN_BUDGET_MS, this.budget / 2);
    else if (duration <= SHORT_FRAME_MS && this.asked) this.budget = Math.min(MAX_BUDGET_MS, this.budget + 1);
  }
}
