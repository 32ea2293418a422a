import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { givesAway, part, partOf, type Script, scripts } from '../../support/gives-away.js';
import { gate, httpError, type RecordedRequest, reply } from '../../support/model-server/index.js';
import { sampled } from '../../support/runs.js';
import { type NodeChat, nodeChat } from './node-chat.js';

/** Rounds of the turn that starts agents and goes on. */
const ROUNDS = 18;
/** Where the chat is summarized: before so many rounds of that turn were answered, by the user when it has ended, and with the first request of the next one. */
const POINTS = [...Array.from({ length: ROUNDS }, (_, index) => index + 1), 'between two turns', 'with the next message'] as const;

const inBackground = (name: string): object => ({ ...part(name), background: true });
const isSummary = ({ body }: RecordedRequest): boolean => JSON.stringify(body.system ?? '').includes('You summarize the working transcript');
/** Which agent sends a request, by what it was told; empty for the chat. A request for a summary quotes what agents were told. */
const agentOf = (request: RecordedRequest): string => (isSummary(request) ? '' : partOf(request));
/** What the model sees before its next words. */
const seen = ({ body }: RecordedRequest): string => JSON.stringify(body.messages);

it(
  'E-70: the agents at work are known to the model whenever its chat is summarized, also in the middle of a turn, and none is started again',
  { timeout: 120_000 },
  async () => {
    const chat = await nodeChat({ inFolder: { 'lines.txt': 'line\n'.repeat(ROUNDS + 1) } });
    for (const point of sampled(POINTS)) await summarizedAt(chat, point);
  },
);

async function summarizedAt(chat: NodeChat, point: (typeof POINTS)[number]): Promise<void> {
  await chat.begin();
  const before = chat.server.requests.length;
  const held = gate();
  const agent: Script = async (request) => {
    if (partOf(request) === 'PART a') await held.pass();
    return reply().text(`Found ${partOf(request)}.`);
  };
  let round = 0;
  let refused = false;
  const first: Script = async (request) => {
    if (round === 0) {
      round += 1;
      return givesAway(inBackground('a'), inBackground('b'))(request);
    }
    if (round === point && !refused) {
      refused = true;
      return TOO_LONG;
    }
    round += 1;
    // Behind the summary, there is nothing more to see.
    return refused || round > ROUNDS || typeof point === 'string'
      ? reply().text('Meanwhile.')
      : reply().toolCall('read', { file_path: 'lines.txt', offset: round, limit: 1 });
  };
  const summarized =
    (script: Script): Script =>
    (request) =>
      isSummary(request) ? reply().text('SUMMARY OF ALL') : scripts(script, agent)(request);
  chat.server.setScript(summarized(first));
  await chat.say('Go');
  await eventually(async () => expect(await endedOf(chat)).toEqual([false, true]));
  if (point === 'between two turns') await chat.conversation.session.compact();
  if (typeof point === 'string') {
    refused = point === 'between two turns';
    chat.server.setScript(
      summarized(() => {
        if (refused) return reply().text('Well.');
        refused = true;
        return TOO_LONG;
      }),
    );
    await chat.say('And?');
  }
  const requests = chat.server.requests.slice(before).filter((request) => agentOf(request) === '');
  const next = requests.find((request) => !isSummary(request) && seen(request).includes('SUMMARY OF ALL'));
  expect(next, `nothing was summarized: ${point}`).toBeDefined();
  const sees = next === undefined ? '' : seen(next);
  expect(sees, String(point)).toMatch(/agent-1 \(general: Look at a\): (pending|running)/);
  expect(sees, String(point)).toMatch(/agent-2 \(general: Look at b\): (pending|running|completed)/);
  held.open();
  await eventually(async () => expect(await endedOf(chat)).toEqual([true, true]));
  expect(
    chat.server.requests
      .slice(before)
      .map(agentOf)
      .filter((words) => words !== '')
      .toSorted(),
  ).toEqual(['PART a', 'PART b']);
}

const TOO_LONG = httpError(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum');

/** Whether each agent of the chat has ended. */
async function endedOf({ host, conversation }: NodeChat): Promise<readonly boolean[]> {
  const { facts } = await host.host.elves.of(conversation.session);
  return facts.map(({ runs }) => runs.at(-1)?.state === 'completed');
}
