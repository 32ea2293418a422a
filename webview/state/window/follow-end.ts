import type { Attachment } from 'svelte/attachments';

/** Pixels from the end that still count as being there. */
const NEAR = 24;
/** Further than any page is long; the browser stops at the end. */
const END = 1e9;

/**
 * Follows content that grows: the scroller stays at the end until the user scrolls up, and follows again when the
 * user is back at the end. Sizes are only read where layout is known, so that following costs no layout of its own.
 */
export class FollowEnd {
  private element: HTMLElement | undefined;
  private atEnd = true;
  private lastTop = 0;
  /** While `true` the end is not followed although it may be in view: something else is held in place. */
  held = false;

  constructor(private readonly changed: (atEnd: boolean) => void) {}

  /** For the element that scrolls. */
  readonly scroller: Attachment<HTMLElement> = (element) => {
    this.element = element;
    const onScroll = (): void => this.scrolled(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    const stop = this.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      stop();
    };
  };

  /** For the element in it that grows. */
  readonly content: Attachment<HTMLElement> = (element) => this.observe(element);

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.held = false;
    this.set(true);
    this.pin();
  }

  /** Stops following, so that the view can go elsewhere; does nothing where there is nowhere to go. */
  leave(): void {
    if (this.element === undefined || this.element.scrollHeight - this.element.clientHeight <= NEAR) return;
    this.held = true;
    this.set(false);
  }

  private observe(element: HTMLElement): () => void {
    const observer = new ResizeObserver(() => this.pin());
    observer.observe(element);
    return () => observer.disconnect();
  }

  private scrolled(element: HTMLElement): void {
    const { scrollTop } = element;
    const distance = element.scrollHeight - scrollTop - element.clientHeight;
    if (distance <= NEAR && !this.held) this.set(true);
    else if (scrollTop < this.lastTop) this.set(false);
    this.lastTop = scrollTop;
  }

  private set(atEnd: boolean): void {
    if (atEnd === this.atEnd) return;
    this.atEnd = atEnd;
    this.changed(atEnd);
  }

  private pin(): void {
    if (!this.atEnd || this.element === undefined) return;
    this.element.scrollTop = END;
    // Content that shrank moves the end up: what is heard of that later, when it has grown again, is not the user scrolling.
    this.lastTop = this.element.scrollTop;
  }
}
