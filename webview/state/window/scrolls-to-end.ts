import type { Attachment } from 'svelte/attachments';

/** Keeps an element scrolled to the end while its content grows. */
export function scrollsToEnd(active: boolean): Attachment<HTMLElement> {
  return (element) => {
    if (!active) return undefined;
    const observer = new ResizeObserver(() => {
      element.scrollTop = 1e9;
    });
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  };
}
