import { describe, expect, it } from 'vitest';
import { Backoff } from '../../../src/completion/backoff.js';
import { CONTEXT_TOKENS, fittingEdits, notIn, snippetBudget } from '../../../src/completion/completion-input.js';
import { RecentEdits } from '../../../src/completion/recent-edits.js';
import { SnippetFinder, tokensOf } from '../../../src/completion/snippets.js';
import { ProviderError } from '../../../src/domain/errors.js';
import { at } from './places.js';

const filler = (n: number): string => Array.from({ length: n }, (_, index) => `something.unrelated${index}();`).join('\n');
const PREFIX = 'function invoiceTotal(invoice) {\n  return invoice.lines.map(priceOf)';

describe('parts of other documents', () => {
  it('are those that resemble the code at the cursor, the best first', async () => {
    const found = await new SnippetFinder().find(
      PREFIX,
      [
        { path: 'far.ts', version: 1, text: () => filler(60) },
        { path: 'some.ts', version: 1, text: () => `${filler(20)}\nconst invoice = 1;` },
        { path: 'near.ts', version: 1, text: () => `${filler(100)}\nfunction priceOf(lines) {\n  return invoiceTotal(invoice);\n}` },
      ],
      2_000,
    );
    expect(found.map(({ path }) => path)).toEqual(['near.ts', 'some.ts'].filter((path) => found.some((each) => each.path === path)));
    expect(found[0]?.path).toBe('near.ts');
    expect(found[0]?.text).toContain('function priceOf(lines)');
    expect(found[0]?.text.split('\n').length).toBeLessThanOrEqual(40);
  });

  it('keep within the budget', async () => {
    const documents = Array.from({ length: 8 }, (_, n) => ({ path: `${n}.ts`, version: 1, text: () => `invoice lines priceOf ${'invoiceTotal '.repeat(60)}` }));
    const found = await new SnippetFinder().find(PREFIX, documents, 500);
    expect(found.length).toBeGreaterThan(0);
    expect(found.reduce((sum, { text }) => sum + tokensOf(text), 0)).toBeLessThanOrEqual(500);
  });

  it('are of the version that there is', async () => {
    const finder = new SnippetFinder();
    const find = async (version: number, text: string): Promise<string | undefined> =>
      (await finder.find(PREFIX, [{ path: 'a.ts', version, text: () => text }], 500))[0]?.text;
    expect(await find(1, 'invoice lines priceOf one')).toContain('one');
    expect(await find(2, 'invoice lines priceOf two')).toContain('two');
    expect(await find(2, 'invoice lines priceOf not read')).toContain('two');
    finder.keepOnly([]);
    expect(await find(2, 'invoice lines priceOf three')).toContain('three');
  });
});

describe('recent edits', () => {
  it('grow where one is next to another, and move with the lines above', () => {
    const edits = new RecentEdits();
    edits.note({ document: 'a', first: 10, before: 1, after: 1 });
    edits.note({ document: 'a', first: 11, before: 1, after: 2 });
    expect(edits.all).toEqual([{ document: 'a', first: 10, end: 13 }]);
    edits.note({ document: 'a', first: 0, before: 1, after: 6 });
    expect(edits.all).toEqual([
      { document: 'a', first: 15, end: 18 },
      { document: 'a', first: 0, end: 6 },
    ]);
    edits.note({ document: 'b', first: 1, before: 1, after: 1 });
    edits.forget('a');
    expect(edits.all.map(({ document }) => document)).toEqual(['b']);
  });

  it('are few and short', () => {
    const edits = new RecentEdits();
    for (let n = 0; n < 30; n += 1) edits.note({ document: 'a', first: n * 50, before: 1, after: 30 });
    expect(edits.all.length).toBeLessThanOrEqual(8);
    for (const { first, end } of edits.all) expect(end - first).toBeLessThanOrEqual(12);
  });

  it('leave out what the place itself shows', () => {
    const edits = [
      { path: 'a.ts', text: 'const a' },
      { path: 'a.ts', text: 'far away' },
      { path: 'b.ts', text: 'const a' },
    ];
    expect(notIn(at('const a|bc'), edits)).toEqual([edits[1], edits[2]]);
  });

  it('take no more than their part of the budget, the latest first', () => {
    const all = Array.from({ length: 9 }, (_, n) => ({ path: `${n}`, text: 'x'.repeat(350) }));
    const kept = fittingEdits(all);
    expect(kept.map(({ path }) => path)).toEqual(['5', '6', '7', '8']);
    expect(snippetBudget(kept)).toBe(CONTEXT_TOKENS - 400);
  });
});

describe('after failures', () => {
  const clock = { now: 0, monotonic: () => clock.now };
  const readyAfter = (backoff: Backoff): number => {
    for (const start = clock.now; ; clock.now += 500) if (backoff.ready) return clock.now - start;
  };

  it('a model is asked later and later, until it answers', () => {
    const backoff = new Backoff(clock);
    expect(backoff.ready).toBe(true);
    const waits = [1, 2, 3].map(() => (backoff.failed(new Error('no')), readyAfter(backoff)));
    expect(waits).toEqual([2_000, 4_000, 8_000]);
    backoff.succeeded();
    backoff.failed(new Error('no'));
    expect(readyAfter(backoff)).toBe(2_000);
  });

  it('the server decides where it asks for more time, and the person where only they can help', () => {
    const backoff = new Backoff(clock);
    backoff.failed(new ProviderError('rate_limit', 'slow', { retryAfterMs: 30_000 }));
    expect(readyAfter(backoff)).toBe(30_000);
    backoff.failed(new ProviderError('no_key', 'none'));
    expect(readyAfter(backoff)).toBe(300_000);
    backoff.failed(new ProviderError('network', 'refused', { retryAfterMs: Infinity }));
    expect(readyAfter(backoff)).toBe(300_000);
  });
});
