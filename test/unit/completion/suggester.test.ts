import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../../src/completion/place.js';
import { Suggester } from '../../../src/completion/suggester.js';
import type { Suggestion } from '../../../src/completion/suggestion.js';
import { VirtualTime } from '../../support/virtual-time.js';
import { at, placeIn } from './places.js';
import { runs } from '../../support/runs.js';

const PAUSE_MS = 75;
const MODEL_MS = 300;

/** A suggester with a model that answers after a while. */
class Rig {
  readonly time = new VirtualTime();
  readonly asked: Place[] = [];
  readonly signals: AbortSignal[] = [];
  ready = true;
  answer: (place: Place) => string | Error = ({ offset }) => `answer${offset}`;
  delay = (): number => MODEL_MS;
  readonly suggester = new Suggester({
    ask: async (place, _, signal) => {
      this.asked.push(place);
      this.signals.push(signal);
      const said = this.answer(place);
      await this.time.wait(this.delay());
      if (said instanceof Error) throw said;
      return said;
    },
    wait: this.time.wait,
    pauseMs: () => PAUSE_MS,
    ready: () => this.ready,
  });

  /** Asks as an editor does, which gives up the call before. */
  suggest(place: Place, asked = false): { result: () => Suggestion | undefined | Error; cancel: () => void } {
    const controller = new AbortController();
    let result: Suggestion | undefined | Error;
    void this.suggester.suggest(place, asked, controller.signal).then(
      (found) => (result = found),
      (error: unknown) => (result = error as Error),
    );
    return { result: () => result, cancel: () => controller.abort() };
  }
}

describe('when a model is asked', () => {
  it('after a pause, once', async () => {
    const rig = new Rig();
    const call = rig.suggest(at('const a = |'));
    await rig.time.pass(PAUSE_MS - 1);
    expect(rig.asked).toHaveLength(0);
    await rig.time.pass(1 + MODEL_MS);
    expect(rig.asked).toHaveLength(1);
    expect(call.result()).toEqual({ text: 'answer10', replaces: 0 });
  });

  it('at once when the person asks', async () => {
    const rig = new Rig();
    rig.ready = false;
    const call = rig.suggest(at('const a = |'), true);
    await rig.time.pass(MODEL_MS);
    expect(call.result()).toEqual({ text: 'answer10', replaces: 0 });
  });

  it('not while the person types, and not within a word', async () => {
    const rig = new Rig();
    for (const text of ['c', 'co', 'con', 'cons']) {
      const call = rig.suggest(placeIn(text, ''));
      await rig.time.pass(PAUSE_MS - 10);
      call.cancel();
    }
    const within = rig.suggest(placeIn('con', 'st'));
    await rig.time.pass(1_000);
    expect(rig.asked).toHaveLength(0);
    expect(within.result()).toBeUndefined();
  });

  it('not while it may not be', async () => {
    const rig = new Rig();
    rig.ready = false;
    const call = rig.suggest(at('const a = |'));
    await rig.time.pass(1_000);
    expect([rig.asked.length, call.result()]).toEqual([0, undefined]);
  });

  it('not again for what is known, also after a part of it was typed', async () => {
    const rig = new Rig();
    rig.suggest(at('const a = |'));
    await rig.time.pass(1_000);
    const again = rig.suggest(at('const a = |'));
    const typed = rig.suggest(at('const a = ans|'));
    await rig.time.pass(0);
    expect(again.result()).toEqual({ text: 'answer10', replaces: 0 });
    expect(typed.result()).toEqual({ text: 'wer10', replaces: 0 });
    expect(rig.asked).toHaveLength(1);
    expect(rig.suggester.figures).toMatchObject({ requests: 1, hits: 2 });
  });
});

describe('a request under way', () => {
  it('is joined by the letters that follow', async () => {
    const rig = new Rig();
    const first = rig.suggest(at('const a = |'));
    await rig.time.pass(PAUSE_MS + 100);
    first.cancel();
    const second = rig.suggest(at('const a = an|'));
    await rig.time.pass(MODEL_MS);
    expect(second.result()).toEqual({ text: 'swer10', replaces: 0 });
    expect([rig.asked.length, rig.suggester.figures.joined]).toEqual([1, 1]);
    expect(rig.signals[0]?.aborted).toBe(false);
  });

  it('is followed by another when its answer does not begin with them', async () => {
    const rig = new Rig();
    rig.suggest(at('const a = |')).cancel();
    const first = rig.suggest(at('const a = |'));
    await rig.time.pass(PAUSE_MS + 100);
    first.cancel();
    const second = rig.suggest(at('const a = x|'));
    await rig.time.pass(2 * MODEL_MS);
    expect(second.result()).toEqual({ text: 'answer11', replaces: 0 });
    expect(rig.asked).toHaveLength(2);
  });

  it('is given up for another place', async () => {
    const rig = new Rig();
    rig.suggest(at('const a = |'));
    await rig.time.pass(PAUSE_MS + 10);
    const other = rig.suggest(at('const b = |'));
    await rig.time.pass(1_000);
    expect(rig.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(other.result()).toEqual({ text: 'answer10', replaces: 0 });
  });

  it('is given up when nobody waits for it any more', async () => {
    const rig = new Rig();
    rig.delay = () => 10_000;
    const call = rig.suggest(at('const a = |'));
    await rig.time.pass(PAUSE_MS + 10);
    call.cancel();
    await rig.time.pass(500);
    expect(rig.signals[0]?.aborted).toBe(false);
    await rig.time.pass(600);
    expect(rig.signals[0]?.aborted).toBe(true);
  });

  it('tells what went wrong to the call that made it, and later ones ask again', async () => {
    const rig = new Rig();
    rig.answer = () => new Error('no such model');
    const call = rig.suggest(at('const a = |'));
    await rig.time.pass(1_000);
    expect(call.result()).toEqual(new Error('no such model'));
    rig.answer = () => 'b;';
    const next = rig.suggest(at('const a = |'));
    await rig.time.pass(1_000);
    expect(next.result()).toEqual({ text: 'b;', replaces: 0 });
  });

  it('is given up with all that was suggested when suggestions are reset', async () => {
    const rig = new Rig();
    rig.suggest(at('const a = |'));
    await rig.time.pass(1_000);
    const call = rig.suggest(at('const c = |'));
    await rig.time.pass(PAUSE_MS + 10);
    rig.suggester.reset();
    await rig.time.pass(1_000);
    expect([call.result(), rig.signals[1]?.aborted]).toEqual([undefined, true]);
    rig.suggest(at('const a = |'));
    await rig.time.pass(1_000);
    expect(rig.asked).toHaveLength(3);
  });
});

/** What a person does: types a letter, removes one, goes elsewhere, takes what is suggested, or pauses. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('type' as const), text: fc.constantFrom('a', 'b', ' ', '(', ';', '\n', '{') }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'follow' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'remove' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('go' as const), to: fc.nat(60) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'take' as const }) },
);
const session = fc.array(fc.record({ step, pause: fc.constantFrom(0, 20, 60, 90, 200, 500), answer: fc.constantFrom(0, 50, 300, 900, 3_000) }), {
  maxLength: 40,
});

describe('over any edits and however late answers are', () => {
  it('only what a model said for the text as it is now is suggested, or what is left of it', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (steps) => {
        const rig = new Rig();
        const answers: { readonly place: Place; readonly text: string }[] = [];
        let delay = 0;
        rig.delay = () => delay;
        rig.answer = (place) => {
          // Says where it was asked, so that an answer for another text is told from one for this.
          const text = `ab(${answers.length}, ${place.prefix.length}) { b${place.suffix.length}`;
          answers.push({ place, text });
          return text;
        };
        let [before, behind] = ['const x = 1;\n', '\nconst y = 2;\n'];
        let call: ReturnType<Rig['suggest']> | undefined;
        const givenUp: ReturnType<Rig['suggest']>[] = [];
        let shown: Suggestion | undefined;
        for (const { step: act, pause, answer } of steps) {
          delay = answer;
          call?.cancel();
          if (call !== undefined && call.result() === undefined) givenUp.push(call);
          if (act.kind === 'type') before += act.text;
          else if (act.kind === 'remove') before = before.slice(0, -1);
          else if (act.kind === 'follow') before += shown?.text.slice(0, 1) ?? 'a';
          else if (act.kind === 'take') before += shown?.text ?? '';
          else [before, behind] = [(before + behind).slice(0, act.to), (before + behind).slice(act.to)];
          call = rig.suggest(placeIn(before, behind));
          await rig.time.pass(pause);
          const result = call.result();
          shown = result instanceof Error ? undefined : result;
          if (shown !== undefined) expect(answers.some(({ place, text }) => isFor(place, text, { before, behind, shown: shown?.text ?? '' }))).toBe(true);
        }
        await rig.time.pass(10_000);
        expect(givenUp.map(({ result }) => result())).toEqual(givenUp.map(() => undefined));
      }),
      { numRuns: runs(150) },
    );
  });
});

/**
 * Whether what is shown is the rest of an answer to a text that became the present one by typing its beginning. Where more
 * stands on the line behind the cursor, the end of the answer that says it again is left out.
 */
function isFor(place: Place, answer: string, { before, behind, shown }: { before: string; behind: string; shown: string }): boolean {
  if (place.suffix !== behind || !before.startsWith(place.prefix)) return false;
  const typed = before.slice(place.prefix.length);
  const [line = ''] = answer.split('\n');
  const rest = line.slice(typed.length);
  return line.startsWith(typed) && (behind.startsWith('\n') || behind === '' ? rest === shown : rest.startsWith(shown));
}
