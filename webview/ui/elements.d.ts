import type { HTMLAttributes } from 'svelte/elements';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'vscode-dropdown': HTMLAttributes<HTMLElement> & { readonly position?: 'above' | 'below'; readonly disabled?: boolean };
    'vscode-option': HTMLAttributes<HTMLElement> & { readonly value?: string };
  }
}
