import type { HTMLAttributes } from 'svelte/elements';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'vscode-dropdown': HTMLAttributes<HTMLElement>;
    'vscode-option': HTMLAttributes<HTMLElement> & { readonly value?: string };
  }
}
