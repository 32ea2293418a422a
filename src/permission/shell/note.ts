import type { Context, Range } from './context.js';

/** Lists something that runs no program of its own, but that no rule may let pass. */
export function note(doubt: string, { start, end }: Range, { source, findings }: Context): void {
  findings.addCommand({ source: source.text.slice(start, end), words: [], readsOnly: false, doubts: [doubt] });
}
