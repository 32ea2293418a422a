import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ModelProposals } from '../../../src/chat/composer/model-proposals.js';
import { Outbox, OutdatedModelError } from '../../../src/chat/composer/outbox.js';
import { OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import type { Routing } from '../../../src/domain/model/routing.js';
import type { ModelProposal } from '../../../src/protocol/host/composer-messages.js';
import type { ComposerRequest } from '../../../src/protocol/panel/composer-requests.js';
import { readRouting } from '../../../src/routing/read-decision.js';
import { httpError, reply, type Script } from '../../support/model-server/index.js';
import { type NodeChat, nodeChat } from './node-chat.js';
import { LARGE, SMALL, twoModels } from './two-models.js';

/** The small one is believed to be good enough to explain things and to find mistakes, and for nothing else. */
const MODELS = { 'gnomon.model': 'auto', ...twoModels({ explain: 0.5, debug: 0.5 }) };
const EXPLAIN = 'What does this function do, and why is it there?';
const REVIEW = 'Review my changes';

type Send = Extract<ComposerRequest, { type: 'send' }>;

/** A chat where the user writes. */
class Writing {
  private readonly proposals = new ModelProposals(() => this.isWanted);
  private readonly outbox: Outbox;
  isWanted = true;

  constructor(readonly chat: NodeChat) {
    this.outbox = new Outbox({ conversation: chat.conversation, resolve: () => Promise.resolve([]), changed: () => undefined });
    chat.conversation.session.onEvent(({ type }) => type === 'turn_ended' && this.outbox.ended('well'));
  }

  /** @returns what the user sees first; `undefined` where the message was taken, of which the turn has ended then */
  async send(text: string, how: Partial<Send> = {}): Promise<ModelProposal | undefined> {
    const shown = await this.submit(text, how);
    if (shown === undefined) await expect.poll(() => this.chat.conversation.running).toBe(false);
    return shown;
  }

  submit(text: string, how: Partial<Send> = {}): Promise<ModelProposal | undefined> {
    const send: Send = { type: 'send', sendId: 's', text, attachments: [], now: false, ...how };
    return this.proposals.submit({ id: randomUUID(), text, attached: [] }, { send, conversation: this.chat.conversation, outbox: this.outbox }, {});
  }

  get waiting(): number {
    return this.outbox.messages.length;
  }

  get asked(): readonly string[] {
    return this.chat.server.requests.map(({ body }) => body.model);
  }

  /** How the model of the last answer was chosen. */
  get routing(): Routing | undefined {
    const answer = this.chat.shown.items.findLast((item) => item.kind === 'answer');
    return readRouting(this.chat.conversation.routingOf(answer?.id ?? ''));
  }

  plan(): Promise<void> {
    this.chat.conversation.setMode('plan');
    return Promise.resolve();
  }

  /** Another chat of the user finds out that models do not answer. */
  async outage(...ids: readonly string[]): Promise<void> {
    this.chat.server.setScript(failing(...ids));
    const other = await this.chat.host.start({ questions: new OpenQuestions() });
    for (const id of ids) {
      const { provider, model } = await this.chat.host.host.models.choose(`anthropic/${id}`);
      other.setModel(provider, model);
      await other.send([{ type: 'text', text: 'Hello' }]).turn;
    }
    await other.close();
    this.chat.server.setScript(() => reply().text('Done.'));
  }
}

const failing =
  (...ids: readonly string[]): Script =>
  ({ body }) =>
    ids.includes(body.model) ? httpError(529, 'overloaded_error', 'Overloaded') : reply().text('Done.');

async function writing(settings: object = {}): Promise<Writing> {
  const chat = await nodeChat({ settings: { ...MODELS, ...settings } });
  chat.server.setScript(() => reply().text('Done.'));
  return new Writing(chat);
}

const shownOf = (proposal: ModelProposal | undefined): { readonly proposal: { readonly id: string } } => ({ proposal: { id: proposal?.id ?? '' } });

describe('R-17: the model of a message, shown before it is sent,', () => {
  it('is the one that it is sent to, with the decision that was shown', async () => {
    const user = await writing();
    const shown = await user.send(EXPLAIN);
    expect(shown).toMatchObject({ model: 'Small', kind: 'explain', next: LARGE });
    expect(shown?.reason).toBe('Of the models that are good enough, it succeeds most for what it costs.');
    expect(shown?.cost).toMatch(/^about \$0\.\d\d$/);
    expect([user.asked, user.chat.conversation.session.messages.length]).toEqual([[], 0]);
    expect(await user.send(EXPLAIN, shownOf(shown))).toBeUndefined();
    expect([user.asked, user.routing]).toEqual([['small'], expect.objectContaining({ type: 'chosen', key: SMALL, kind: 'explain' })]);
  });

  it('is another one where the user wants that, for this message: with its price, and without another in its place', async () => {
    const user = await writing();
    const first = await user.send(EXPLAIN);
    const second = await user.send(EXPLAIN, { proposal: { ...shownOf(first).proposal, model: LARGE } });
    expect(second).toMatchObject({ model: 'Large', reason: 'You have chosen it for this message.', next: SMALL });
    expect(second?.cost).not.toBe(first?.cost);
    // Around it, what Auto has chosen comes again.
    const third = await user.send(EXPLAIN, { proposal: { ...shownOf(second).proposal, model: SMALL } });
    expect([third?.model, third?.reason]).toEqual([first?.model, first?.reason]);
    const again = await user.send(EXPLAIN, { proposal: { ...shownOf(third).proposal, model: LARGE } });
    user.chat.server.setScript(failing('large'));
    await user.send(EXPLAIN, shownOf(again));
    expect(user.asked).toEqual(['large']);
    user.chat.conversation.retry();
    await expect.poll(() => user.asked).toEqual(['large', 'large']);
    await expect.poll(() => user.chat.conversation.running).toBe(false);
    expect([user.routing, user.chat.shown.modelChoice]).toEqual([expect.objectContaining({ key: LARGE, because: 'pinned' }), 'auto']);
  });

  it('is chosen for the kind that the user says', async () => {
    const user = await writing();
    const first = await user.send(EXPLAIN);
    const second = await user.send(EXPLAIN, { proposal: { ...shownOf(first).proposal, kind: 'security_review' } });
    expect(second).toMatchObject({ model: 'Large', kind: 'security_review' });
    expect(second?.reason).toBe('Of the models that can do this, it is the only one that is good enough.');
    expect(second?.next).toBeUndefined();
    await user.send(EXPLAIN, shownOf(second));
    expect([user.asked, user.routing]).toEqual([['large'], expect.objectContaining({ kind: 'security_review', key: LARGE })]);
  });

  it('is kept with the cache that it has, and another one has to read that again', async () => {
    const user = await writing();
    user.chat.server.setScript(() => reply().text('Done.').usage({ cache_creation_input_tokens: 50_000 }));
    await user.send(EXPLAIN, shownOf(await user.send(EXPLAIN)));
    const kept = await user.send('And why is that?');
    expect(kept).toMatchObject({ model: 'Small', next: LARGE });
    expect(kept?.reason).toBe('The chat keeps it: another model would have to read 50,000 tokens again that are in its cache.');
    expect(kept?.cost).toMatch(/^about \$/);
    const other = await user.send('And why is that?', { proposal: { ...shownOf(kept).proposal, model: LARGE } });
    expect(other?.reason).toMatch(/^You have chosen it for this message\. \$0\.\d\d of that is for [\d,]+ tokens that it has to read again/);
    await user.send('And why is that?', shownOf(kept));
    // What was shown before another one was is not what the user sees.
    expect(user.asked).toHaveLength(1);
  });

  it.each([
    ['does not answer by then', (user: Writing) => user.outage('small'), 'Large', 'Small can no longer be used for this. '],
    ['like all others does not answer by then', (user: Writing) => user.outage('small', 'large'), undefined, 'Small can no longer be used for this. No model'],
    ['was shown before another message', (user: Writing) => user.chat.say('Hello'), 'Small', ''],
    ['was shown for another mode', (user: Writing) => user.plan(), 'Small', ''],
  ] as const)('is shown anew, and nothing is sent, where it %s', async (_what, happens, model, reason) => {
    const user = await writing();
    const shown = await user.send(EXPLAIN);
    await happens(user);
    const before = user.asked.length;
    const anew = await user.send(EXPLAIN, shownOf(shown));
    expect([anew?.model, anew?.reason.startsWith(reason), user.asked.length]).toEqual([model, true, before]);
    if (model === undefined) return;
    await user.send(EXPLAIN, shownOf(anew));
    expect(user.asked.slice(before)).toEqual([model.toLowerCase()]);
  });

  it('is sent to no other one where something runs by then, or the user has chosen one', async () => {
    const user = await writing();
    const shown = await user.send(EXPLAIN);
    const { provider, model } = await user.chat.host.host.models.choose(LARGE);
    user.chat.conversation.setModel(provider, model);
    await expect(user.send(EXPLAIN, shownOf(shown))).rejects.toThrow(OutdatedModelError);
    expect([user.asked, user.waiting]).toEqual([[], 0]);
  });

  it('says at once where none is good enough, and another attempt chooses again', async () => {
    const user = await writing();
    await user.send(EXPLAIN);
    await user.outage('large');
    const before = user.asked.length;
    const none = await user.send(REVIEW);
    expect(none).toMatchObject({ kind: 'review', reason: expect.stringMatching(/^The models that are good enough for this task do not answer/) as string });
    expect([none?.model, none?.cost]).toEqual([undefined, undefined]);
    const again = await user.send(REVIEW, shownOf(none));
    expect([again?.kind, again?.model, user.asked.length]).toEqual(['review', undefined, before]);
    const explained = await user.send(REVIEW, { proposal: { ...shownOf(again).proposal, kind: 'explain' } });
    await user.send(REVIEW, shownOf(explained));
    expect(user.asked.slice(before)).toEqual(['small']);
  });

  it('is not shown where the user does not want that, has chosen a model, says something beside the text, or the message waits', async () => {
    const user = await writing();
    expect(await user.send(EXPLAIN, { aside: true })).toBeUndefined();
    user.isWanted = false;
    expect(await user.send(EXPLAIN)).toBeUndefined();
    user.isWanted = true;
    const running = user.submit(EXPLAIN, { aside: true });
    const waits = user.submit(EXPLAIN);
    expect(await Promise.all([running, waits])).toEqual([undefined, undefined]);
    await expect.poll(() => user.asked.length).toBe(4);
    await expect.poll(() => user.chat.conversation.running).toBe(false);
    await user.chat.select(LARGE);
    expect(await user.send(EXPLAIN)).toBeUndefined();
    expect(user.asked.at(-1)).toBe('large');
  });
});
