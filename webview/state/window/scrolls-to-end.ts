import type { Attachment } from 'svelte/attachments';

/** Keeps an element at the end of what it holds while that grows. */
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
