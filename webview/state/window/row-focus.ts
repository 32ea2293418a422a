import type { Attachment } from 'svelte/attachments';

/**
 * Moves the focus when the focused row is removed: to the row that takes its place, and after the last one back home.
 * Otherwise the focus would be lost, and keyboard users would start again at the top of the page.
 */
export class RowFocus {
  private inside = false;
  private row = 0;
  /** What had the focus last, and the row of a tree that it is in, if it is in one. */
  private last: Element | null = null;
  private item: HTMLElement | null = null;

  /** `home` takes the focus when there is no row any more. */
  constructor(private readonly home: () => void) {}

  /** For the element that contains all rows. */
  readonly region: Attachment<HTMLElement> = (element) => {
    const entered = (event: FocusEvent): void => this.entered(event.target);
    const left = (event: FocusEvent): void => {
      // Nothing else took it when what had it goes away.
      if (event.relatedTarget instanceof Node && !element.contains(event.relatedTarget)) this.inside = false;
    };
    element.addEventListener('focusin', entered);
    element.addEventListener('focusout', left);
    return () => {
      element.removeEventListener('focusin', entered);
      element.removeEventListener('focusout', left);
      if (this.isLost() || element.contains(document.activeElement)) this.home();
    };
  };

  /** To be called after rows came or went. */
  restore(list: HTMLElement): void {
    if (!this.isLost()) return;
    const row = list.children[Math.min(this.row, list.children.length - 1)];
    // Its first button only shows the file: a key that is pressed once too often changes nothing.
    row?.querySelector('button')?.focus();
  }

  /** To be called after controls came or went: the row of a tree of which one had the focus gets it, and where there is none, `other` is called. */
  recover(other: () => void): void {
    // A click beside all controls takes the focus away, too.
    if (!this.isLost() || this.last?.isConnected === true) return;
    if (this.item?.isConnected === true) this.item.focus();
    else other();
  }

  private entered(target: EventTarget | null): void {
    this.inside = true;
    const row = target instanceof Element ? target.closest('li') : null;
    this.last = target instanceof Element ? target : null;
    this.item = row?.role === 'treeitem' ? row : null;
    if (row?.parentElement) this.row = [...row.parentElement.children].indexOf(row);
  }

  private isLost(): boolean {
    return this.inside && document.hasFocus() && (document.activeElement === null || document.activeElement === document.body);
  }
}
