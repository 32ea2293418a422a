import { describe, expect, it } from 'vitest';
import type { ModelInfo } from '../../../../src/domain/model/provider.js';
import { improveTitle, titleModel } from '../../../../src/engine/one-shot/improve-title.js';
import { type Script, answers, calls, Latch, says, ScriptedProvider, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { type Rig, rig, user } from '../rig.js';

const go = [{ type: 'text' as const, text: 'Why does the median test fail?' }];

interface TitleRig extends Rig {
  readonly titles: string[];
  readonly namer: ScriptedProvider;
  readonly wishes: { wanted: boolean };
  readonly stop: () => void;
}

/** A session with scripts for its turns, and a provider of its own for titles. */
function withTitles(turns: readonly Script[], titleScripts: readonly Script[], options: Parameters<typeof rig>[0] = {}): TitleRig {
  const all = rig({ ...options, scripts: turns });
  const namer = new ScriptedProvider(titleScripts);
  const titles: string[] = [];
  const wishes = { wanted: true };
  const { log } = all;
  const stop = improveTitle(all.session, {
    wanted: () => wishes.wanted,
    asked: () => Promise.resolve({ provider: namer, model: { ...TEST_MODEL, id: 'cheap' } }),
    apply: (title) => titles.push(title),
    log,
  });
  return { ...all, titles, namer, wishes, stop };
}

describe('a title by the model', () => {
  it('is asked for once, after the first whole answer, in one small request without tools', async () => {
    const all = withTitles([answers('Because it sorts as text.'), answers('More.')], [answers('Failing median test')]);
    await all.session.send(go).turn;
    await expect.poll(() => all.titles).toEqual(['Failing median test']);
    await all.session.send(go).turn;
    expect(all.namer.requests).toHaveLength(1);
    const [request] = all.namer.requests;
    expect(request).toMatchObject({ model: 'cheap', tools: [], maxTokens: 20, effort: 'off' });
    const words = JSON.stringify(request?.messages);
    expect(words).toContain('Why does the median test fail?');
    expect(words).toContain('Because it sorts as text.');
    expect(request?.messages).toHaveLength(1);
    // The conversation itself does not change.
    expect(all.session.messages).toHaveLength(4);
  });

  it('its cost counts to the session, in the view and in what is stored', async () => {
    const all = withTitles(
      [[...says(0, 'Yes.'), ...stops('end_turn', { inputTokens: 1_000_000, outputTokens: 0 })]],
      [[...says(0, 'Yes'), ...stops('end_turn', { inputTokens: 500_000, outputTokens: 0 })]],
    );
    await all.session.send(go).turn;
    await expect.poll(() => all.titles).toEqual(['Yes']);
    expect(all.session.costUsd).toBeCloseTo(1.5);
    expect(all.events.findLast(({ type }) => type === 'usage')).toMatchObject({ costUsd: 1.5 });
    expect(all.recorder.meta['costUsd']).toBeCloseTo(1.5);
  });

  it('is not asked for when the answer is not whole, nor when none is wanted', async () => {
    const broken = withTitles([[...says(0, 'Half'), new Error('gone')]], []);
    await broken.session.send(go).turn;
    const off = withTitles([answers('Whole.')], []);
    off.wishes.wanted = false;
    await off.session.send(go).turn;
    const old = withTitles([answers('Whole.')], [], { messages: [user('Long ago')] });
    await old.session.send(go).turn;
    expect([broken, off, old].map(({ namer }) => namer.requests.length)).toEqual([0, 0, 0]);
  });

  it('a turn that starts ends the request, and its title is not used', async () => {
    const latch = new Latch();
    const all = withTitles([answers('One.'), answers('Two.')], [[latch, ...answers('Too late')]]);
    await all.session.send(go).turn;
    await latch.reached;
    await all.session.send(go).turn;
    latch.open();
    await all.session.close();
    expect(all.titles).toEqual([]);
    expect(all.log.lines).toEqual([]);
  });

  it('a title that the person gave meanwhile stays', async () => {
    const latch = new Latch();
    const all = withTitles([answers('One.')], [[latch, ...answers('By the model')]]);
    await all.session.send(go).turn;
    await latch.reached;
    all.wishes.wanted = false;
    latch.open();
    await expect.poll(() => all.events.filter(({ type }) => type === 'usage').length).toBe(2);
    expect(all.titles).toEqual([]);
  });

  it('what goes wrong is logged and nothing else: no title, no event of a failure', async () => {
    const failing = withTitles([answers('One.')], [[new Error('No credit left.')]]);
    await failing.session.send(go).turn;
    await expect.poll(() => failing.log.lines.join()).toContain('No credit left.');
    const calling = withTitles([answers('One.')], [[...says(0, 'Title'), ...calls(1, 'x', { name: 'bash', args: {} }), ...stops('tool_use')]]);
    await calling.session.send(go).turn;
    await expect.poll(() => calling.events.filter(({ type }) => type === 'usage').length).toBe(2);
    expect([failing.titles, calling.titles]).toEqual([[], []]);
    expect(failing.events.at(-1)?.type).not.toBe('storage_failed');
  });

  it('nothing is asked any more once it is ended', async () => {
    const all = withTitles([answers('One.')], []);
    all.stop();
    await all.session.send(go).turn;
    expect(all.namer.requests).toEqual([]);
  });
});

describe('the model for titles', () => {
  const priced = (id: string, price: number, provider = 'scripted'): ModelInfo => ({
    ...TEST_MODEL,
    provider,
    id,
    pricing: { input: price, output: price, cacheRead: 0, cacheWrite: 0 },
  });

  it('is the cheapest of the provider whose price is known', () => {
    const models = [priced('dear', 9), priced('cheap', 0.1), priced('elsewhere', 0.01, 'other')];
    expect(titleModel(priced('own', 3), models).id).toBe('cheap');
  });

  it('is the session’s own where no other is known to be cheaper', () => {
    const unpriced: ModelInfo = { ...TEST_MODEL, id: 'own' };
    Reflect.deleteProperty(unpriced, 'pricing');
    expect(titleModel(unpriced, []).id).toBe('own');
    expect(titleModel(priced('own', 1), [priced('same', 1)]).id).toBe('own');
  });
});
