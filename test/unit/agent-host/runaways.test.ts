import { describe, expect, it } from 'vitest';
import { elfViews, limitView } from '../../../src/chat/projection/elf-view.js';
import type { ElfFacts } from '../../../src/elf/elf.js';
import type { Household } from '../../../src/elf/household.js';
import type { ReachedElfLimit } from '../../../src/domain/session/elf.js';
import { totalInputTokens } from '../../../src/domain/model/usage.js';
import { givesAway, part, partOf, results, says, type Script, scripts } from '../../support/gives-away.js';
import { reply } from '../../support/model-server/index.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const TOKENS = { input_tokens: 1_000, output_tokens: 10 };
/** What the server says of each answer. */
const TOKENS_OF_ANSWER = 1_010;

const household = ({ host, conversation }: NodeChat): Promise<Household> => host.host.elves.of(conversation.session);
const reached = async (chat: NodeChat): Promise<ReachedElfLimit | undefined> => (await household(chat)).reached;
const ofAgents = ({ server }: NodeChat): number => server.requests.filter((request) => partOf(request) !== '').length;
const answer = (words: string): ReturnType<typeof reply> => reply().text(words).usage(TOKENS, TOKENS);

/** Requests and tokens of all agents, each with what those that it has started used taken out, as the tree shows them. */
async function counted(chat: NodeChat): Promise<{ readonly rounds: number; readonly tokens: number; readonly elves: readonly ElfFacts[] }> {
  const elves = (await household(chat)).facts;
  const top = elves.filter(({ parent }) => parent === undefined);
  return {
    rounds: elves.flatMap(({ runs }) => runs).reduce((sum, { rounds }) => sum + rounds, 0),
    tokens: top.reduce((sum, { usage }) => sum + totalInputTokens(usage) + usage.outputTokens, 0),
    elves,
  };
}

async function isUsable(chat: NodeChat): Promise<void> {
  chat.server.setScript(says('Still here.'));
  const turn = await chat.say('And now?');
  expect([turn.end, chat.shown.activity]).toEqual(['end_turn', 'idle']);
}

describe('runaways end at what the agents of a chat may use, with one card', () => {
  it('E-10: 240 starts in four answers: 8 begin, and 232 are refused', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxTotal': 8 } });
    let answers = 0;
    chat.server.setScript(
      scripts(
        () => {
          answers += 1;
          if (answers > 4) return reply().text('I stop.');
          return Array.from({ length: 60 }, (_, index) => part(`${answers}-${index}`)).reduce<ReturnType<typeof reply>>(
            (all, args) => all.toolCall('agent', args),
            reply(),
          );
        },
        () => answer('Found.'),
      ),
    );
    const turn = await chat.say('Go');
    expect([turn.end, ofAgents(chat), chat.server.requests.length]).toEqual(['end_turn', 8, 13]);
    expect(await reached(chat)).toEqual({ limit: 'agents', value: 8, used: 8, higher: 16, stopped: 0, refused: 232 });
    expect(chat.calls.filter(({ problem = '' }) => problem.includes('the most that it may'))).toHaveLength(232);
    const { rounds, tokens, elves } = await counted(chat);
    expect([rounds, tokens, elves.length]).toEqual([8, 8 * TOKENS_OF_ANSWER, 8]);
    await isUsable(chat);
  });

  it('E-51: agents that start themselves again, three deep: each request is counted', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxDepth': 3, 'gnomon.agents.maxTotal': 12 } });
    const again: Script = (request) => {
      const offered = request.body.tools?.some(({ name }) => name === 'agent') === true;
      const refused = results(request).some((text) => text.includes('Not started'));
      if (!offered || refused) return answer('I stop.');
      const more = ['a', 'b'].map((name) => part(`${partOf(request).slice(5)}${name}${results(request).length}`));
      return more.reduce<ReturnType<typeof reply>>((all, args) => all.toolCall('agent', args), reply()).usage(TOKENS, TOKENS);
    };
    chat.server.setScript(scripts(givesAway(part('x')), again));
    await chat.say('Go');
    const { rounds, tokens, elves } = await counted(chat);
    expect([elves.length, rounds, tokens]).toEqual([12, ofAgents(chat), ofAgents(chat) * TOKENS_OF_ANSWER]);
    const card = await reached(chat);
    expect(card).toMatchObject({ limit: 'agents', value: 12, used: 12, higher: 24, stopped: 0 });
    expect(card?.refused).toBeGreaterThan(0);
    await isUsable(chat);
  });

  it('E-13: 60 equal starts in one answer: two begin', async () => {
    const chat = await nodeChat();
    chat.server.setScript(scripts(givesAway(...Array.from({ length: 60 }, () => part('the same'))), () => answer('Found.')));
    await chat.say('Go');
    expect(ofAgents(chat)).toBe(2);
    expect(chat.calls.filter(({ problem = '' }) => problem.includes('the same prompt was given to the agent “general” 2 times'))).toHaveLength(58);
    // No limit was reached: there is nothing to raise.
    expect([await reached(chat), chat.shown.elfLimit ?? undefined]).toEqual([undefined, undefined]);
    await isUsable(chat);
  });

  it('E-13: a loop of equal starts, one in each answer: two begin, and one that failed or was stopped can be tried again', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.maxRetries': 0 } });
    let agents = 0;
    let answers = 0;
    chat.server.setScript(
      scripts(
        () => ((answers += 1) > 6 ? reply().text('I stop.') : reply().toolCall('agent', part('the same'))),
        () => ((agents += 1) === 1 ? reply().usage(TOKENS, TOKENS).stop('refusal') : answer(`Found ${agents}.`)),
      ),
    );
    await chat.say('Go');
    const { elves } = await counted(chat);
    expect(elves.map(({ runs }) => runs.at(-1)?.state)).toEqual(['failed', 'completed', 'completed']);
    await isUsable(chat);
  });

  it.each([
    ['tokens', { 'gnomon.agents.maxTokens': 2_900 }, { value: 2_900, used: 3 * TOKENS_OF_ANSWER, higher: 5_800 }],
    ['money', { 'gnomon.agents.maxCostUsd': 0.0055 }, { value: 0.0055, higher: 0.011 }],
  ])('E-12: ten side by side with %s for three requests: the server sees three', async (limit, settings: Record<string, number>, expected) => {
    const chat = await nodeChat({ settings: { ...settings, 'gnomon.agents.maxAtOnce': 10 } });
    chat.server.setScript(scripts(givesAway(...Array.from({ length: 10 }, (_, index) => part(`${index}`))), () => answer('Found.')));
    const turn = await chat.say('Go');
    expect([turn.end, ofAgents(chat)]).toEqual(['end_turn', 3]);
    const card = await reached(chat);
    // Those that would have begun when all was used up were refused, the others stopped.
    expect(card).toMatchObject({ limit, ...expected });
    expect([(card?.stopped ?? 0) + (card?.refused ?? 0), (card?.stopped ?? 0) > 0]).toEqual([7, true]);
    const { rounds, tokens, elves } = await counted(chat);
    expect([rounds, tokens]).toEqual([3, 3 * TOKENS_OF_ANSWER]);
    // It is kept as data, and not only as a sentence.
    const limits = elves.flatMap(({ runs }) => runs.map((run) => run.limit?.limit));
    expect([limits.filter((kind) => kind === limit).length, limits.filter((kind) => kind === undefined).length]).toEqual([card?.stopped, 3]);
    expect((await household(chat)).purse.spent.costUsd?.toFixed(6)).toBe(elves.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0).toFixed(6));
    const views = elfViews(await household(chat), () => ({ model: '', provider: '' }));
    expect(views.filter(({ state }) => state === 'failed')).toHaveLength(card?.stopped ?? 0);
    expect(card && limitView(card)).toMatchObject(
      limit === 'money' ? { value: '$0.0055', used: '$0.0063', higher: { text: '$0.01' } } : { value: '2,900', used: '3,030', higher: { text: '5,800' } },
    );
    await isUsable(chat);
  });
});
