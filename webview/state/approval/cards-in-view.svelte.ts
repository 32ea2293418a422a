import { SvelteSet } from 'svelte/reactivity';

/** Tracks which cards that need an answer are in view. */
export class CardsInView {
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
    return () => {
      this.observer.unobserve(card);
      this.shown.delete(card);
    };
  }
}
