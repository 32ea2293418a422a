/** A point at which a script waits until the test lets it go on. */
export class Latch {
  /** Resolves when the script has come to the latch. */
  readonly reached: Promise<void>;
  private arrive: () => void = () => undefined;
  private release: () => void = () => undefined;
  private readonly opened: Promise<void>;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.arrive = resolve;
    });
    this.opened = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  /** Lets the script go on. */
  open(): void {
    this.release();
  }

  /** Called by the script: says that it is here and waits. */
  pass(): Promise<void> {
    this.arrive();
    return this.opened;
  }
}
