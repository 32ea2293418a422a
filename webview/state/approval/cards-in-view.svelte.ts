import { SvelteSet } from 'svelte/reactivity';

/** Tracks which cards that need an answer are in view, and which one of them the keys answer: the first on the page. That one says so by its class. */
export class CardsInView {
  private readonly all = new Set<Element>();
  private readonly shown = new SvelteSet<Element>();
  private readonly observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.shown.add(target);
      else this.shown.delete(target);
    }
  });

  /** Whether any is. Nothing may lie over its buttons then. */
  get inView(): boolean {
    return this.shown.size > 0;
  }

  /** Watches a card. @returns ends that */
  watch(card: Element): () => void {
    this.observer.observe(card);
    this.all.add(card);
    this.mark();
    return () => {
      this.all.delete(card);
      this.mark();
      this.observer.unobserve(card);
      this.shown.delete(card);
    };
  }

  /** Whether it is the one that keys answer. The oldest card comes first on the page. */
  isFirst(card: Element): boolean {
    return card === this.first;
  }

  private get first(): Element | undefined {
    const isBefore = (one: Element, other: Element): boolean => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    return [...this.all].reduce<Element | undefined>((first, card) => (first === undefined || isBefore(card, first) ? card : first), undefined);
  }

  private mark(): void {
    const { first } = this;
    for (const card of this.all) card.classList.toggle('has-keys', card === first);
  }
}
