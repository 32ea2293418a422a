import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PaneModels } from '../../../src/chat/pane/pane-models.js';
import { explainRouting } from '../../../src/chat/projection/model-explanation.js';
import { modelKey } from '../../../src/domain/model/model-key.js';
import type { Routing } from '../../../src/domain/model/routing.js';
import { TASK_KINDS, type TaskKind } from '../../../src/domain/model/task-kind.js';
import { readRouting } from '../../../src/routing/read-decision.js';
import { httpError, reply, type Script } from '../../support/model-server/index.js';
import { PromptCache } from '../../support/prompt-cache/index.js';
import { runs } from '../../support/runs.js';
import { type NodeChat, nodeChat } from './node-chat.js';
import { LARGE, SMALL, twoModels } from './two-models.js';

/** The small one is believed to be good enough to explain things, and for nothing else. */
const MODELS = { 'gnomon.model': 'auto', ...twoModels({ explain: 0.5 }) };
const FLOORS = MODELS['gnomon.routing.floors'];
const EXPLAIN = 'What does this function do, and why is it there?';
const DEBUG = 'Fix the crash: TypeError: cannot read properties of undefined';

async function autoChat(settings: object = {}, inFolder: Readonly<Record<string, string>> = {}): Promise<NodeChat> {
  const chat = await nodeChat({ settings: { ...MODELS, ...settings }, inFolder });
  chat.server.setScript(() => reply().text('Done.'));
  return chat;
}

/** A server that fails for some models as one does that has too much to do. */
const failing =
  (...ids: readonly string[]): Script =>
  ({ body }) =>
    ids.includes(body.model) ? httpError(529, 'overloaded_error', 'Overloaded') : reply().text('Done.');

/** The ids by which the model of the last turn is known in each place that names it. */
function everywhere({ conversation, server, shown }: NodeChat): readonly unknown[] {
  const answer = shown.items.findLast((item) => item.kind === 'answer');
  const last = conversation.session.messages.findLastIndex(({ role }) => role === 'assistant');
  return [`anthropic/${server.requests.at(-1)?.body.model}`, shown.model, answer?.facts?.model, modelKey(conversation.session.model), last];
}

function routingOf({ conversation, shown }: NodeChat): Routing | undefined {
  const answer = shown.items.findLast((item) => item.kind === 'answer');
  return readRouting(conversation.routingOf(answer?.id ?? ''));
}

describe('a chat whose models are chosen automatically', () => {
  it('has for each task the model that is good enough and costs least, and says how it came to that', async () => {
    const chat = await autoChat();
    await chat.say(EXPLAIN);
    expect(everywhere(chat)).toEqual([SMALL, SMALL, SMALL, SMALL, 1]);
    expect(chat.shown).toMatchObject({ modelChoice: 'auto' });
    expect(routingOf(chat)).toMatchObject({ type: 'chosen', key: SMALL, kind: 'explain', because: 'ranked' });
    await chat.say(DEBUG);
    expect(everywhere(chat).slice(0, 4)).toEqual([LARGE, LARGE, LARGE, LARGE]);
    const routing = routingOf(chat);
    expect(routing).toMatchObject({ kind: 'debug', key: LARGE, candidates: [{ key: LARGE }, { key: SMALL, removed: { type: 'belowFloor' } }] });
    const explained = explainRouting(routing as Routing, (key) => key);
    expect(explained).toMatchObject({
      kind: 'debug',
      chosen: 'anthropic/large was chosen: of the models that can do this, it is the only one that is good enough.',
      candidates: [{ name: 'Large', isChosen: true, basis: 'Assumed from its price' }, { removed: 'It is not good enough for this kind of task.' }],
    });
    expect(explained.notes.join(' ')).toMatch(
      /^Good enough is a model that is expected to succeed in \d\d% of such tasks, which is 90% of what is expected of the best one\./,
    );
  });

  it('R-09: keeps the model while a server has the chat in its cache and the task is of a similar kind', async () => {
    const chat = await autoChat();
    chat.server.setScript(() => reply().text('Done.').usage({ cache_creation_input_tokens: 50_000 }));
    await chat.say(DEBUG);
    await chat.say('Write a function that sorts the slots');
    expect(routingOf(chat)).toEqual({ type: 'kept', kind: 'generation', key: LARGE, cachedTokens: 50_000 });
    // What is explained by a model that does the work costs less than another cache.
    await chat.say(EXPLAIN);
    expect(routingOf(chat)).toMatchObject({ type: 'kept', key: LARGE });
  });

  it('R-09: a job of 30 messages reads as much from the cache as with a pinned model', async () => {
    const words = [DEBUG, 'Write a function that sorts the slots', EXPLAIN, 'Write unit tests for it', 'Move it to another module'];
    const shareWith = async (settings: object): Promise<number> => {
      const chat = await autoChat(settings);
      const caches = new Map<string, PromptCache>();
      const billed = { read: 0, all: 0 };
      chat.server.setScript(({ body }) => {
        const cache = caches.get(body.model) ?? new PromptCache({ minimumTokens: 1_024 });
        caches.set(body.model, cache);
        const { read, written, uncached } = cache.take(body);
        billed.read += read;
        billed.all += read + written + uncached;
        const usage = { input_tokens: uncached, cache_read_input_tokens: read, cache_creation_input_tokens: written };
        return reply()
          .text(`Done. ${'More words. '.repeat(100)}`)
          .usage(usage);
      });
      for (let message = 0; message < 30; message += 1) await chat.say(words[message % words.length] ?? '');
      await chat.close();
      return billed.read / billed.all;
    };
    const pinned = await shareWith({ 'gnomon.model': LARGE });
    expect(pinned).toBeGreaterThan(0.8);
    expect(await shareWith({})).toBeGreaterThanOrEqual(0.99 * pinned);
  });

  it('R-03: uses the model that the user chooses for whatever it is, also after the chat was opened again', async () => {
    const chat = await autoChat();
    await chat.select(SMALL);
    await chat.say(DEBUG);
    expect(everywhere(chat).slice(0, 4)).toEqual([SMALL, SMALL, SMALL, SMALL]);
    expect(chat.shown.modelChoice).toBe('pinned');
    expect(routingOf(chat)).toBeUndefined();
    const { meta } = await stored(chat);
    expect(meta).toMatchObject({ model: SMALL, modelChoice: SMALL });
  });

  it('R-14b: keeps apart what the settings say, what is chosen automatically, and what the user has chosen', async () => {
    const chat = await autoChat({ 'gnomon.model': LARGE });
    expect(chat.shown.modelChoice).toBe('default');
    await chat.say(EXPLAIN);
    expect(everywhere(chat)[0]).toBe(LARGE);
    expect((await stored(chat)).meta).toMatchObject({ model: LARGE, modelChoice: 'default' });
  });

  it('R-02: asks where the models that are good enough do not answer, and sends nothing to a weaker one', async () => {
    const chat = await autoChat();
    chat.server.setScript(failing('large'));
    const turn = await chat.say(DEBUG);
    expect(turn.end).toBe('error');
    const requests = chat.server.requests.length;
    await chat.say(DEBUG);
    expect(chat.server.requests).toHaveLength(requests);
    expect(chat.notices.at(-1)).toMatch(
      /^The models that are good enough for this task do not answer, or are too small\. The best one left is Small: expected to succeed in/,
    );
    expect(routingOf(chat)).toMatchObject({ type: 'ask', why: { type: 'belowFloor', key: SMALL } });
    // Another one can be chosen for it, and is.
    await chat.select(SMALL);
    chat.conversation.retry();
    await expect.poll(() => chat.server.requests.at(-1)?.body.model).toBe('small');
  });

  it('R-14: goes on with another model that is good enough, says so, and tries the first one again', async () => {
    const chat = await autoChat({ 'gnomon.routing.floors': { ...FLOORS, debug: 0.5 } });
    chat.server.setScript(failing('small'));
    await chat.say(DEBUG);
    expect(everywhere(chat).slice(0, 4)).toEqual([LARGE, LARGE, LARGE, LARGE]);
    expect(chat.notices).toEqual(['Small does not answer. Large, which is good enough for this task, goes on. Your next message tries Small again.']);
    expect(routingOf(chat)).toMatchObject({ key: LARGE, candidates: [{ key: LARGE }, { key: SMALL, removed: { type: 'unavailable' } }] });
    const off = await autoChat({ 'gnomon.routing.floors': { ...FLOORS, debug: 0.5 }, 'gnomon.routing.fallback': false });
    off.server.setScript(failing('small'));
    expect((await off.say(DEBUG)).end).toBe('error');
    expect(off.server.requests.map(({ body }) => body.model)).toEqual(['small']);
  });

  it('R-15: takes the user’s word for the kind of a task, and chooses anew with the next message', async () => {
    const chat = await autoChat();
    await chat.say(EXPLAIN);
    const answer = chat.shown.items.findLast((item) => item.kind === 'answer');
    chat.conversation.correctKind(answer?.id ?? '', 'security_review');
    expect(chat.shown.items.findLast((item) => item.kind === 'answer')?.facts?.routedAs).toBe('security_review');
    // What was chosen was chosen for what it was taken for.
    expect(routingOf(chat)).toMatchObject({ kind: 'explain', key: SMALL });
    await chat.say(EXPLAIN);
    expect(routingOf(chat)).toMatchObject({ kind: 'security_review', key: LARGE });
    // It is about that message, and not about all that follow.
    await chat.say(EXPLAIN);
    expect(routingOf(chat)).toMatchObject({ kind: 'explain' });
  });

  it('R-15: that word counts until a model was asked by it: also after a question, and when the message is answered again', async () => {
    const chat = await autoChat();
    await chat.say(EXPLAIN);
    const answer = chat.shown.items.findLast((item) => item.kind === 'answer');
    chat.conversation.correctKind(answer?.id ?? '', 'security_review');
    chat.server.setScript(failing('large'));
    await chat.say(EXPLAIN);
    for (const again of [() => chat.conversation.retry(), () => chat.conversation.retry()]) {
      again();
      await expect.poll(() => chat.conversation.session.state).toBe('idle');
      expect(routingOf(chat)).toMatchObject({ kind: 'security_review' });
    }
    expect(chat.server.requests.slice(1).map(({ body }) => body.model)).not.toContain('small');
  });

  it('R-14: the model that did not answer is tried again with the next message', async () => {
    const chat = await autoChat({ 'gnomon.routing.floors': { ...FLOORS, debug: 0.5 } });
    chat.server.setScript(failing('small'));
    await chat.say(DEBUG);
    chat.server.setScript(() => reply().text('Done.'));
    await chat.say(DEBUG);
    expect(chat.server.requests.map(({ body }) => body.model)).toEqual(['small', 'large', 'small']);
  });

  it('R-02: counts the message that is being sent, and nothing that cannot be asked', async () => {
    const [small, large] = MODELS['gnomon.models'];
    const chat = await autoChat({ 'gnomon.models': [{ ...small, contextWindow: 32_000 }, large] });
    await chat.say(`${EXPLAIN} ${'word '.repeat(40_000)}`);
    expect(routingOf(chat)).toMatchObject({ key: LARGE, candidates: [{ key: LARGE }, { key: SMALL, removed: { type: 'windowTooSmall', window: 32_000 } }] });
    const other = await autoChat({ 'gnomon.routing.models': ['openai/gpt-5', SMALL, 'anthropic/smal'] });
    await other.say(EXPLAIN);
    expect(routingOf(other)).toMatchObject({ key: SMALL });
    expect(other.server.requests.map(({ body }) => body.model)).toEqual(['small']);
  });

  it('goes on with what it was about where a message does not say', async () => {
    const chat = await autoChat();
    await chat.say(DEBUG);
    await chat.say('Go on');
    expect(routingOf(chat)).toMatchObject({ kind: 'debug', key: LARGE });
  });

  it('R-14b: is left to Gnomon again when an agent with a model of its own works no more, and when Auto is chosen, the model stays until the next task', async () => {
    const chat = await autoChat({}, { '.gnomon/agents/rev.md': `---\nname: rev\ndescription: Reviews\nmodel: ${LARGE}\n---\nReview.\n` });
    const { models, agents, permissions } = chat.host.host;
    const errors: unknown[] = [];
    const panel = { current: () => chat.conversation, post: () => undefined, report: (error: unknown) => void errors.push(error) };
    const choices = new PaneModels({ models, agents, bypass: permissions.bypass, ...panel });
    const now = (): unknown => [chat.shown.modelChoice, chat.shown.model];
    await chat.select(SMALL);
    await choices.choose('auto');
    expect(now()).toEqual(['auto', SMALL]);
    await choices.chooseAgent('rev');
    expect(now()).toEqual(['pinned', LARGE]);
    await choices.chooseAgent('');
    expect(now()).toEqual(['auto', SMALL]);
    expect(errors).toEqual([]);
    choices.stop();
  });

  it.each([
    ['a floor that is no number', { 'gnomon.routing.floors': { ...FLOORS, debug: null } }, LARGE],
    ['a model that is no list', { 'gnomon.routing.models': SMALL }, SMALL],
  ])('is not given away by %s', async (_what, settings, expected) => {
    const chat = await autoChat(settings);
    await chat.say(DEBUG);
    expect(routingOf(chat)).toMatchObject({ key: expected });
  });

  it('R-16: says nothing about a model that the user has chosen in the turn, or after they were asked', async () => {
    const chat = await autoChat();
    chat.server.setScript(failing('large'));
    await chat.say(DEBUG);
    await chat.say(DEBUG);
    await chat.select(SMALL);
    chat.conversation.retry();
    await expect.poll(() => chat.conversation.session.state).toBe('idle');
    expect(routingOf(chat)).toBeUndefined();
    expect((await stored(chat)).meta.routings).toEqual({ 0: expect.anything() as unknown });
  });

  it('is explained after it was opened again as before, and to what a file has made of it nothing is said', async () => {
    const chat = await autoChat();
    await chat.say(DEBUG);
    const { meta } = await stored(chat);
    expect(readRouting(meta.routings?.[0])).toEqual(routingOf(chat));
    for (const made of [
      { ...meta.routings?.[0], candidates: 'none' },
      { type: 'chosen', kind: 'debug' },
      { type: 'kept', kind: 'debug', key: 'x'.repeat(501), cachedTokens: 1 },
    ])
      expect(readRouting(made)).toBeUndefined();
  });

  it('R-16: one id is shown, sent, counted, and stored, whatever is chosen in between', { timeout: 120_000 }, async () => {
    const chat = await autoChat();
    const act = fc.oneof(
      fc.constantFrom<() => Promise<unknown>>(
        () => chat.select(SMALL),
        () => chat.select(LARGE),
        () => auto(chat),
      ),
      fc.constantFrom(...TASK_KINDS).map((kind: TaskKind) => () => correct(chat, kind)),
      fc.constantFrom(EXPLAIN, DEBUG, 'Plan the next release', 'Rename it everywhere').map((words) => () => chat.say(words)),
    );
    const acts = fc.sample(act, { numRuns: runs(1_000), seed: fc.readConfigureGlobal().seed ?? 1 });
    for (const [index, each] of acts.entries()) {
      const before = chat.server.requests.length;
      await each();
      if (chat.server.requests.length === before) continue;
      const [sent, ...others] = everywhere(chat).slice(0, 4);
      expect(others, `after ${index + 1} acts`).toEqual([sent, sent, sent]);
      expect(Object.keys(chat.conversation.session.byModel)).toContain(sent);
    }
  });
});

/** What is stored of a chat, once it is closed. */
async function stored(chat: NodeChat): ReturnType<NodeChat['host']['store']['open']> {
  const { id } = chat.conversation.session;
  await chat.conversation.session.close();
  const open = await chat.host.store.open(id);
  await open.recorder.close();
  return open;
}

async function auto({ conversation, host }: NodeChat): Promise<void> {
  const { provider, model } = await host.host.models.choose(modelKey(conversation.session.model));
  conversation.setModel(provider, model, { type: 'auto' });
}

function correct({ conversation, shown }: NodeChat, kind: TaskKind): Promise<void> {
  const answer = shown.items.findLast((item) => item.kind === 'answer');
  if (answer?.facts?.routedAs !== undefined) conversation.correctKind(answer.id, kind);
  return Promise.resolve();
}
