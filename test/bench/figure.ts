/** A measured figure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The largest value that is good enough. */
  readonly goal: number;
  /** How it was measured, in a few words: number of runs, spread. */
  readonly note?: string;
}

/** The middle of some numbers; the mean of the two middle ones when their count is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing.');
  return (upper + lower) / 2;
}

/** The value that a part of some numbers, such as 0.95, is at most. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  if (value === undefined) throw new Error('There is no percentile of nothing.');
  return value;
}

/** A figure from several runs: their median, with the spread in the note. */
export function medianFigure(name: string, values: readonly number[], limits: { readonly unit: string; readonly goal: number }): Figure {
  const spread = `${round(Math.min(...values))}–${round(Math.max(...values))}, ${values.length} runs`;
  return { name, value: median(values), ...limits, note: spread };
}

/** The figures as one object, as tools want them. */
export function toJson(figures: readonly Figure[]): string {
  const entries = figures.map(({ name, value, unit, goal }) => [name, { value: round(value), unit, goal, holds: value <= goal }]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The figures as a table for people. */
export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, goal, note }) => [
    name,
    `${round(value).toLocaleString('en')} ${unit}`,
    `≤ ${goal.toLocaleString('en')}`,
    value <= goal ? 'holds' : 'MISSED',
    note ?? '',
  ]);
  const table = [['figure', 'value', 'goal', '', 'spread'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
