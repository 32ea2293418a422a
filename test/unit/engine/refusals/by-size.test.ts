import { describe, expect, test } from 'vitest';
import { type ProviderErrorKind, ProviderError } from '../../../../src/domain/errors.js';
import type { SessionEvent } from '../../../../src/engine/events.js';
import { type Script, answers } from '../../../support/scripted-provider/index.js';
import { isSummaryRequest, pastTalk, SMALL_MODEL, tokensOf } from '../context/long-talk.js';
import { rig } from '../rig.js';

const go = [{ type: 'text' as const, text: 'Go on.' }];
const odd = (status = 400): ProviderError => new ProviderError(status === 404 ? 'not_found' : 'invalid_request', 'Bad Request', { status });
const kinds = (events: readonly SessionEvent[]): readonly string[] => events.flatMap(({ type }) => (type.startsWith('compact') ? [type] : []));

/** Refuses what is long, in words that say nothing. */
const dumb = (most: number): readonly Script[] =>
  Array.from({ length: 20 }, (): Script => (request) => (tokensOf(request) > most ? [odd()] : answers(isSummaryRequest(request) ? 'A summary.' : 'Fine.')));
const always: readonly Script[] = Array.from({ length: 20 }, (): Script => (request) => (isSummaryRequest(request) ? answers('A summary.') : [odd()]));

describe('a refusal that says nothing', () => {
  test.each([
    ['above 70 percent of the window', { ...SMALL_MODEL }, 6],
    ['where the size of the window is assumed', { ...SMALL_MODEL, contextWindow: 200_000, windowAssumed: true }, 6],
    ['where it is not known', { ...SMALL_MODEL, contextWindow: 0 }, 6],
  ])('%s makes room, once, and the turn goes on', async (_where, model, turns) => {
    const { session, events } = rig({ model, messages: pastTalk(turns), scripts: dumb(3_000) });
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(kinds(events)).toEqual(['compaction_started', 'compacted']);
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
  });

  test.each([
    ['far below the window', { ...SMALL_MODEL, contextWindow: 200_000 }, 6],
    ['in a short chat with an assumed window', { ...SMALL_MODEL, windowAssumed: true }, 1],
  ])('%s is told as it is', async (_where, model, turns) => {
    const { session, events } = rig({ model, messages: pastTalk(turns), scripts: always });
    expect(await session.send(go).turn).toMatchObject({ end: 'error', error: { message: 'Bad Request' } });
    expect(kinds(events)).toEqual([]);
  });

  test('of something else takes the summary back, is told as it was, and makes none again until the chat has grown', async () => {
    const { session, events } = rig({ messages: pastTalk(6), model: SMALL_MODEL, scripts: always });
    expect(await session.send(go).turn).toMatchObject({ end: 'error', error: { message: 'Bad Request' } });
    expect(kinds(events)).toEqual(['compaction_started', 'compacted', 'compaction_undone']);
    expect(session.compactions).toEqual([]);
    expect(await session.send(go).turn).toMatchObject({ end: 'error' });
    expect(kinds(events)).toHaveLength(3);
  });

  test.each<[ProviderErrorKind, number]>([
    ['permission', 403],
    ['not_found', 404],
    ['server', 502],
    ['server', 503],
    ['server', 504],
  ])('of everything, with %s %i, leaves a long chat as it is', async (kind, status) => {
    let isBroken = true;
    const scripts = Array.from({ length: 80 }, (): Script => () => (isBroken ? [new ProviderError(kind, 'Down.', { status })] : answers('Fine.')));
    const { session } = rig({ messages: pastTalk(6), model: SMALL_MODEL, scripts, maxRetries: 1, wait: () => Promise.resolve() });
    expect(await session.send(go).turn).toMatchObject({ end: 'error', error: { message: 'Down.' } });
    expect(session.compactions).toEqual([]);
    isBroken = false;
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(session.compactions).toEqual([]);
  });

  test.each<ProviderErrorKind | 'stopped'>(['rate_limit', 'overloaded', 'network', 'interrupted', 'authentication', 'quota', 'stopped'])(
    'takes its summary back where %s ends the turn before it is known whether that helped, and makes one again later',
    async (how) => {
      let asked = 0;
      const it = rig({
        messages: pastTalk(6),
        model: SMALL_MODEL,
        scripts: Array.from({ length: 20 }, (): Script => (request) => {
          if (isSummaryRequest(request)) return answers('A summary.');
          asked += 1;
          if (asked === 2 && how === 'stopped') it.session.cancel();
          if (asked === 2 && how !== 'stopped') return [new ProviderError(how, 'Not now.')];
          return tokensOf(request) > 3_000 ? [odd()] : answers('Fine.');
        }),
      });
      await it.session.send(go).turn;
      expect([kinds(it.events), it.session.compactions]).toEqual([['compaction_started', 'compacted', 'compaction_undone'], []]);
      expect(await it.session.send(go).turn).toMatchObject({ end: 'end_turn' });
      expect(it.session.compactions).toHaveLength(1);
    },
  );

  const ASSUMED = { ...SMALL_MODEL, contextWindow: 200_000, windowAssumed: true };
  const OF_EVERYTHING = [
    ['not_found', 404],
    ['permission', 403],
    ['server', 502],
    ['server', 503],
    ['server', 500],
    ['invalid_request', 400],
    ['invalid_request', 422],
  ] as const;
  test.each(OF_EVERYTHING.flatMap(([kind, status]) => [0, 50].flatMap((auto) => [SMALL_MODEL, ASSUMED].map((model) => ({ kind, status, auto, model })))))(
    'of everything, with $kind $status, is paid for with few requests (window of $model.contextWindow, summaries at $auto percent)',
    async ({ kind, status, auto, model }) => {
      const scripts = Array.from({ length: 80 }, (): Script => [new ProviderError(kind, 'No.', { status })]);
      const { session, provider } = rig({ messages: pastTalk(6), model, scripts, autoCompactPercent: auto, maxRetries: 1, wait: () => Promise.resolve() });
      const made: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const before = provider.requests.length;
        expect(await session.send(go).turn).toMatchObject({ end: 'error', error: { message: 'No.' } });
        made.push(provider.requests.slice(before).filter(isSummaryRequest).length);
      }
      // The first summary is the one that a full window wants, made as if nothing was wrong.
      const isWanted = auto > 0 && model === SMALL_MODEL;
      const mayBeShorter = kind === 'invalid_request' || status === 500;
      expect(made).toEqual(isWanted ? [mayBeShorter ? 2 : 1, 1, 0] : [1, 0, 0]);
    },
  );

  test('of one model is not taken for one of another', async () => {
    const scripts = [[odd(404)], [odd(404)], ...dumb(3_000)];
    const { session, provider } = rig({ messages: pastTalk(6), model: SMALL_MODEL, scripts });
    expect(await session.send(go).turn).toMatchObject({ end: 'error' });
    session.setModel(provider, { ...SMALL_MODEL, id: 'model-2' });
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
  });
});
