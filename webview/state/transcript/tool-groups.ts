import { formatNumber, t } from '../../../src/protocol/l10n.js';
import type { ViewBlock, ViewToolCall } from '../../../src/protocol/view-state.js';

/** Fewer calls than these stay as they are. */
const MIN_GROUP = 2;
/** Tools that only read, and how their calls are counted in the title of a group. */
const COUNTED = {
  read: (count: number) => (count === 1 ? t('Read 1 file') : t('Read {0} files', formatNumber(count))),
  grep: (count: number) => times(count, t('Searched once'), t('Searched twice')) ?? t('Searched {0} times', formatNumber(count)),
  glob: (count: number) => times(count, t('Searched for files once'), t('Searched for files twice')) ?? t('Searched for files {0} times', formatNumber(count)),
  symbols: (count: number) => times(count, t('Looked up symbols once'), t('Looked up symbols twice')) ?? t('Looked up symbols {0} times', formatNumber(count)),
  diagnostics: (count: number) =>
    times(count, t('Checked for problems once'), t('Checked for problems twice')) ?? t('Checked for problems {0} times', formatNumber(count)),
} as const;

function times(count: number, once: string, twice: string): string | undefined {
  return count === 1 ? once : count === 2 ? twice : undefined;
}
type CountedTool = keyof typeof COUNTED;

/** Row of an answer: a part of it, or calls that are folded into one row. */
export type AnswerRow =
  | { readonly kind: 'block'; readonly index: number }
  | { readonly kind: 'group'; readonly index: number; readonly calls: readonly { readonly index: number; readonly call: ViewToolCall }[] };

/** Display options of an answer. */
export interface RowOptions {
  readonly streaming: boolean;
  /** Whether the plan of the model is shown elsewhere, so that the calls that changed it need not be. */
  readonly planShown: boolean;
}

/**
 * Folds calls that follow one another into one row when they only read and went well. A call that waits, runs, failed or
 * was refused is never folded, and neither are the newest calls while the answer continues.
 */
export function answerRows(blocks: readonly ViewBlock[], { streaming, planShown }: RowOptions): readonly AnswerRow[] {
  const rows: AnswerRow[] = [];
  let run: { index: number; call: ViewToolCall }[] = [];
  const close = (folds: boolean): void => {
    const [first] = run;
    if (first !== undefined && folds && run.length >= MIN_GROUP) rows.push({ kind: 'group', index: first.index, calls: run });
    else rows.push(...run.map(({ index }) => ({ kind: 'block' as const, index })));
    run = [];
  };
  blocks.forEach((block, index) => {
    if (planShown && isPlan(block)) return;
    if (block.type === 'tool' && isFoldable(block.call)) run.push({ index, call: block.call });
    else {
      close(true);
      rows.push({ kind: 'block', index });
    }
  });
  close(!streaming);
  return rows;
}

/** Title of a group of calls, such as "Read 5 files, searched 2 times". */
export function groupTitle(calls: readonly Pick<ViewToolCall, 'name'>[]): string {
  const counts = new Map<CountedTool, number>();
  for (const { name } of calls) if (isCounted(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts].map(([name, count]) => COUNTED[name](count));
  return parts.map((part, index) => (index === 0 ? part : part.charAt(0).toLowerCase() + part.slice(1))).join(', ');
}

/** Whether a call showed the plan. One that failed to is listed like any other call. */
function isPlan(block: ViewBlock): boolean {
  return block.type === 'tool' && block.call.name === 'todo' && ['streaming', 'pending', 'running', 'done'].includes(block.call.status);
}

function isFoldable({ name, status, images, preview }: ViewToolCall): boolean {
  return status === 'done' && images === undefined && preview === undefined && isCounted(name);
}

function isCounted(name: string): name is CountedTool {
  return Object.hasOwn(COUNTED, name);
}
