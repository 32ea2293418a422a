import type { Locator } from 'playwright-core';
import type { App } from '../e2e/app.js';
import type { Chat } from '../e2e/chat.js';
import { part, partOf, results } from '../support/gives-away.js';
import { gate, type ModelServer, type RecordedRequest, reply, type StreamReply, twelveCharacters } from '../support/model-server/index.js';
import { longestTaskCpu } from './cpu-trace.js';
import type { Figure } from './figure.js';

/** How many agents work at the same time in a chat of {@link agentFrames}. */
export const AGENTS_AT_ONCE = 20;
const RUNS = 3;
/** Answers of each agent, all but the last with a call. */
const ROUNDS = 12;
/** Pieces of each answer, and milliseconds between two of them: as a fast model writes. */
const PIECES = 20;
const PAUSE_MS = 16;
/** Deltas of what the chat itself says meanwhile. */
const DELTAS = 20_000;

/** The longest frame of the panel in the workbench while agents stream and the chat does, too, with their tree open. */
export async function agentFrames(app: App, chat: Chat, server: ModelServer): Promise<Figure> {
  const longest: number[] = [];
  // Once more than the others: the first is the one in which the page gets to know its own code.
  for (let run = 0; run <= RUNS; run += 1) longest.push(await longestFrame(app, chat, server));
  const [, ...later] = longest;
  const note = `processor time, least of ${later.map((ms) => ms.toFixed(1)).join(', ')}; ${AGENTS_AT_ONCE} agents with ${ROUNDS} answers each`;
  return { name: 'agents_20_longest_frame_ms', value: Math.min(...later), unit: 'ms', goal: 33, note };
}

async function longestFrame(app: App, chat: Chat, server: ModelServer): Promise<number> {
  const held = gate();
  const parts = Array.from({ length: AGENTS_AT_ONCE }, (_, index) => ({ ...part(`${index + 1}`), background: true }));
  server.setScript(async (request) => {
    if (partOf(request) === '' && results(request).length === 0)
      return parts.reduce<StreamReply>((all, args) => all.toolCall('agent', args), reply().text('I start them.'));
    await held.pass();
    return partOf(request) === '' ? reply().bulk(DELTAS, twelveCharacters) : answerOf(request);
  });
  await chat.newSession();
  await chat.send('Have twenty look');
  const line = chat.frame.getByRole('region', { name: 'Agents' }).getByRole('button').first();
  await line.click();
  await chat.frame
    .getByRole('treeitem')
    .nth(AGENTS_AT_ONCE - 1)
    .waitFor();
  const work = async (): Promise<void> => {
    held.open();
    await untilDone(line);
  };
  const longest = await longestTaskCpu(app.page, work, line);
  await chat.waitForIdle();
  return longest;
}

/** An answer of an agent: some words, and a call, but for the last. */
function answerOf(request: RecordedRequest): StreamReply {
  const round = request.body.messages.filter(({ role }) => role === 'assistant').length;
  let words = reply();
  for (let piece = 0; piece < PIECES; piece += 1) words = words.text(twelveCharacters(piece)).delay(PAUSE_MS);
  return round < ROUNDS - 1 ? words.toolCall('read', { file_path: 'src/slot.js', offset: round + 1, limit: 1 }) : words;
}

/** Looks seldom, so that the looks are no part of what is measured. */
function untilDone(line: Locator): Promise<void> {
  return line.evaluate(async (element) => {
    while (!element.textContent.includes('all done')) await new Promise((resolve) => setTimeout(resolve, 100));
  });
}
