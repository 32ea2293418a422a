import type { HTMLAttributes } from 'svelte/elements';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'vscode-divider': HTMLAttributes<HTMLElement>;
    'vscode-progress-ring': HTMLAttributes<HTMLElement>;
  }
}
