import { CodeHighlight } from './code-highlight.js';
import { isKnownLanguage, loadLanguage } from './languages.js';
import { LineTokenizer } from './line-tokenizer.js';

/** A code block that is colored once its language is loaded. */
export interface HighlightedCode {
  /** Says that no more code comes. */
  close(): void;
}

/** Scheduling and error reports of {@link Highlights}. */
export interface HighlightDeps {
  /** Asks for steps: a language is there. */
  readonly wake: () => void;
  /** Hears when the bundle of a language cannot be loaded; its code stays plain. */
  readonly failed: (error: unknown) => void;
}

/** The code blocks of one text that are being colored, step by step when nothing else is to do. */
export class Highlights {
  private readonly active = new Set<CodeHighlight>();

  constructor(private readonly deps: HighlightDeps) {}

  /** Takes code in; `undefined` when its language is not known. */
  add(code: HTMLElement, language: string): HighlightedCode | undefined {
    if (!isKnownLanguage(language)) return undefined;
    let highlight: CodeHighlight | undefined;
    let closed = false;
    const begin = async (): Promise<void> => {
      const mode = await loadLanguage(language);
      if (mode === undefined) return;
      highlight = new CodeHighlight(code, new LineTokenizer(mode));
      if (closed) highlight.close();
      this.active.add(highlight);
      this.deps.wake();
    };
    begin().catch(this.deps.failed);
    return {
      close: () => {
        closed = true;
        highlight?.close();
      },
    };
  }

  /** Colors some lines of one block, of which there may be very many; `true` when there may be more to color. */
  step(): boolean {
    for (const highlight of this.active) {
      const colored = highlight.step();
      if (highlight.finished) this.active.delete(highlight);
      if (colored) return true;
    }
    return false;
  }
}
