import type { Attachment } from 'svelte/attachments';

/** Pixels from the end that still count as being there. */
const NEAR = 24;
/** Further than any page is long; the browser stops at the end. */
const END = 1e9;

/** Keeps a scrolling element at its end. */
export interface FollowEnd {
  /** For the element that scrolls. */
  readonly scroller: Attachment<HTMLElement>;
  /** For the element in it that grows. */
  readonly content: Attachment<HTMLElement>;
  /** Goes to the end and stays there. */
  toEnd(): void;
}

/**
 * Follows content that grows: the scroller stays at the end until the person scrolls up, and follows again when the
 * person is back at the end. Sizes are only read where layout is known, so that following costs no layout of its own.
 */
export function followEnd(changed: (atEnd: boolean) => void): FollowEnd {
  let element: HTMLElement | undefined;
  let atEnd = true;
  let lastTop = 0;
  const set = (value: boolean): void => {
    if (value === atEnd) return;
    atEnd = value;
    changed(value);
  };
  const pin = (): void => {
    if (atEnd && element !== undefined) element.scrollTop = END;
  };
  return {
    scroller: (scroller) => {
      element = scroller;
      const onScroll = (): void => {
        const { scrollTop } = scroller;
        const distance = scroller.scrollHeight - scrollTop - scroller.clientHeight;
        if (distance <= NEAR) set(true);
        else if (scrollTop < lastTop) set(false);
        lastTop = scrollTop;
      };
      scroller.addEventListener('scroll', onScroll, { passive: true });
      const observer = new ResizeObserver(pin);
      observer.observe(scroller);
      return () => {
        scroller.removeEventListener('scroll', onScroll);
        observer.disconnect();
      };
    },
    content: (content) => {
      const observer = new ResizeObserver(pin);
      observer.observe(content);
      return () => observer.disconnect();
    },
    toEnd: () => {
      set(true);
      pin();
    },
  };
}
