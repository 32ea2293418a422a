/** Milliseconds after which work runs although no frame came: the page is hidden. */
const HIDDEN_DELAY_MS = 100;
/** Milliseconds of script that one frame may spend on rendering, so that layout and input still fit into it. */
const RENDER_BUDGET_MS = 6;

/** What happens in a frame. */
export interface FramePhases {
  /** Brings the state up to date. */
  readonly apply: () => void;
  /** Renders until the deadline (of `performance.now()`); `true` when there is more to do. */
  readonly render: (deadline: number) => boolean;
}

/**
 * Collects work for the next animation frame. A hidden page gets no frames, so a timer stands in for them.
 */
export class FrameLoop {
  private readonly phases: FramePhases;
  private frame: number | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(phases: FramePhases) {
    this.phases = phases;
  }

  /** Asks for a frame; many requests make one. */
  readonly request = (): void => {
    if (this.frame !== undefined) return;
    this.frame = requestAnimationFrame(this.run);
    this.timer = setTimeout(this.run, HIDDEN_DELAY_MS);
  };

  private readonly run = (): void => {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.frame = undefined;
    this.phases.apply();
    if (this.phases.render(performance.now() + RENDER_BUDGET_MS)) this.request();
  };
}
