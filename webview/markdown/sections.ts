/** Elements that lie in the host itself. More than are ever colored of a long block of code. */
const DIRECT = 32;
/** Elements per section. */
const PER_SECTION = 32;

/**
 * Where the many elements of a long text go: the first ones into the host, all others into sections of some. What is
 * outside of the window is skipped a section at a time, so that a frame costs the same however long the text is.
 */
export class Sections {
  private count = 0;
  private section: HTMLElement | undefined;

  constructor(
    private readonly host: HTMLElement,
    /** Estimated height of an element before its first layout, in pixels. */
    private readonly guess: number,
  ) {}

  /** Adds an element behind those added before; in the host, before `end` if that is given. */
  add(element: HTMLElement, end: HTMLElement | null = null): void {
    const at = this.count - DIRECT;
    this.count += 1;
    if (at < 0) {
      this.host.insertBefore(element, end);
      return;
    }
    if (at % PER_SECTION === 0 || this.section === undefined) this.open(end);
    this.section?.append(element);
    this.section?.style.setProperty('contain-intrinsic-height', `auto ${((at % PER_SECTION) + 1) * this.guess}px`);
  }

  /** Begins anew in an empty host. */
  clear(): void {
    this.count = 0;
    this.section = undefined;
  }

  private open(end: HTMLElement | null): void {
    this.section = document.createElement('div');
    this.section.className = 'text-section';
    this.host.insertBefore(this.section, end);
  }
}
