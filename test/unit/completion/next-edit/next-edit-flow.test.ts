import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineReplacement, holds, replaced, signatureOf } from '../../../../src/completion/next-edit/line-replacement.js';
import { type NextEditState, NextEditFlow } from '../../../../src/completion/next-edit/next-edit-flow.js';
import { VirtualTime } from '../../../support/virtual-time.js';
import { runs } from '../../../support/runs.js';

const A = 'file:///a.ts';
const PAUSE_MS = 300;
const MODEL_MS = 500;

/** A document with one line after the other that says the old name, and a model that foresees the next place. */
class Rig {
  readonly time = new VirtualTime();
  lines: readonly string[] = ['new', 'old', 'old'];
  asked = 0;
  wanted = true;
  delay = MODEL_MS;
  ghost = false;
  readonly states: NextEditState['kind'][] = [];
  readonly signals: AbortSignal[] = [];
  foresee = (lines: readonly string[]): LineReplacement | undefined => {
    const first = lines.indexOf('old');
    return first < 0 ? undefined : { first, before: ['old'], after: ['new'] };
  };
  readonly flow = new NextEditFlow({
    begin: () => (this.wanted ? { document: A, line: 0, answer: (signal) => this.answer(signal) } : undefined),
    wait: this.time.wait,
    takeOver: () => this.ghost,
    changed: ({ kind }) => this.states.push(kind),
  });

  edit(lines: readonly string[]): void {
    this.lines = lines;
    void this.flow.edited(PAUSE_MS);
  }

  get shown(): LineReplacement | undefined {
    return this.flow.state.kind === 'shown' ? this.flow.state.offer.change : undefined;
  }

  /** Late on purpose: it does not mind the signal. */
  private async answer(signal: AbortSignal): Promise<LineReplacement | undefined> {
    this.asked += 1;
    this.signals.push(signal);
    const change = this.foresee(this.lines);
    await this.time.wait(this.delay);
    return change;
  }
}

describe('the next edit', () => {
  it('is asked for after a pause, once, and shown', async () => {
    const rig = new Rig();
    for (let key = 0; key < 5; key += 1) {
      rig.edit(rig.lines);
      await rig.time.pass(PAUSE_MS - 1);
    }
    expect(rig.asked).toBe(0);
    await rig.time.pass(1 + MODEL_MS);
    expect([rig.asked, rig.shown?.first, rig.states.at(-1)]).toEqual([1, 1, 'shown']);
  });

  it('is jumped to, accepted, and followed by the one after it', async () => {
    const rig = new Rig();
    rig.edit(rig.lines);
    await rig.time.pass(1_000);
    expect(rig.flow.jump()?.change.first).toBe(1);
    expect(rig.flow.state).toMatchObject({ kind: 'shown', jumped: true });
    const { change } = rig.flow.accept() ?? { change: undefined };
    expect([rig.flow.state.kind, rig.flow.accept(), rig.flow.jump()]).toEqual(['idle', undefined, undefined]);
    if (change !== undefined) rig.edit(replaced(rig.lines, change));
    await rig.time.pass(1_000);
    expect(rig.shown?.first).toBe(2);
  });

  it('is not shown when the text changed while a model was asked', async () => {
    const rig = new Rig();
    rig.edit(rig.lines);
    await rig.time.pass(PAUSE_MS + 100);
    rig.flow.drop();
    await rig.time.pass(1_000);
    expect([rig.shown, rig.signals[0]?.aborted]).toEqual([undefined, true]);
  });

  it('is not shown when the cursor went to another line while a model was asked; later it may', async () => {
    const rig = new Rig();
    rig.edit(rig.lines);
    await rig.time.pass(PAUSE_MS + 100);
    rig.flow.moved(0);
    expect(rig.flow.state.kind).toBe('asked');
    rig.flow.moved(2);
    await rig.time.pass(1_000);
    expect(rig.shown).toBeUndefined();
    rig.edit(rig.lines);
    await rig.time.pass(1_000);
    rig.flow.moved(2);
    expect(rig.shown).toBeDefined();
  });

  it('that was dismissed does not come again, until the document is closed', async () => {
    const rig = new Rig();
    rig.edit(rig.lines);
    await rig.time.pass(1_000);
    rig.flow.dismiss();
    rig.edit(rig.lines);
    await rig.time.pass(1_000);
    expect([rig.asked, rig.shown]).toEqual([2, undefined]);
    rig.flow.forget(A);
    rig.edit(rig.lines);
    await rig.time.pass(1_000);
    expect(rig.shown).toBeDefined();
    rig.flow.forget(A);
    expect(rig.shown).toBeUndefined();
  });

  it('is not what the person has just undone', async () => {
    const rig = new Rig();
    rig.flow.undone(A, { before: ['kept', 'old'], after: ['kept', 'new'] });
    rig.edit(rig.lines);
    await rig.time.pass(1_000);
    expect([rig.asked, rig.shown]).toEqual([1, undefined]);
  });

  it('goes behind the cursor where it fits, and is nothing where nothing is to be asked', async () => {
    const rig = new Rig();
    rig.ghost = true;
    rig.edit(rig.lines);
    await rig.time.pass(1_000);
    expect([rig.asked, rig.flow.state.kind]).toEqual([1, 'idle']);
    rig.wanted = false;
    rig.edit(rig.lines);
    await rig.time.pass(1_000);
    expect([rig.asked, rig.flow.state.kind]).toEqual([1, 'idle']);
  });

  it('is never stale, whatever is edited and however late answers come', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('edit' as const),
        lines: fc.array(fc.constantFrom('old', 'new', 'x'), { minLength: 1, maxLength: 5 }),
        delay: fc.constantFrom(0, 100, 500, 2_000),
      }),
      fc.record({ do: fc.constantFrom('change' as const, 'move' as const, 'jump' as const, 'accept' as const, 'dismiss' as const) }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(50, 300, 800, 3_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const rig = new Rig();
        const refused = new Set<string>();
        for (const each of steps) {
          if (each.do === 'pass') await rig.time.pass(each.ms);
          else if (each.do === 'edit') {
            rig.delay = each.delay;
            rig.edit(each.lines);
          } else if (each.do === 'change') {
            rig.lines = ['x', ...rig.lines];
            rig.flow.drop();
          } else if (each.do === 'move') rig.flow.moved(3);
          else if (each.do === 'jump') rig.flow.jump();
          else if (each.do === 'dismiss') {
            if (rig.shown !== undefined) refused.add(signatureOf(rig.shown));
            rig.flow.dismiss();
          } else {
            const accepted = rig.flow.accept();
            if (accepted !== undefined) expect(holds(accepted.change, rig.lines)).toBe(true);
            if (accepted !== undefined) rig.edit(replaced(rig.lines, accepted.change));
          }
          if (rig.shown !== undefined) expect([holds(rig.shown, rig.lines), refused.has(signatureOf(rig.shown))]).toEqual([true, false]);
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
