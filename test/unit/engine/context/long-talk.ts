import { type Message, textContent } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import type { StreamPart } from '../../../../src/domain/model/event-stream.js';
import { calls, says, type Script, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { ok, testTool } from '../rig.js';

/** A model with so small a window that a few results fill it: 8,000 tokens for a request. */
export const SMALL_MODEL = { ...TEST_MODEL, contextWindow: 10_000, maxOutputTokens: 2_000 };

/** A reading tool whose results take some 1,000 tokens. */
export const readsMuch = testTool('read', { execute: () => ok('word '.repeat(1_000)) });

/** Tokens of a request, as a server would count them. */
export function tokensOf(request: Request): number {
  return Math.ceil(JSON.stringify(request.messages).length / 5);
}

/** Whether a request asks for a summary. */
export function isSummaryRequest(request: Request): boolean {
  return request.systemPrompt.startsWith('You summarize');
}

/** The requests of a session that are part of the conversation, and those for summaries. */
export function sorted(requests: readonly Request[]): { readonly talk: readonly Request[]; readonly summaries: readonly Request[] } {
  return { talk: requests.filter((request) => !isSummaryRequest(request)), summaries: requests.filter(isSummaryRequest) };
}

/** The words of a request's first message. */
export function firstWords({ messages }: Request): string {
  const [first] = messages;
  return first === undefined ? '' : textContent(first);
}

/** An answer that reads, with honest usage. */
export function reads(id: string): Script {
  return (request) => [...says(0, `Reading ${id}.`), ...calls(1, id, { name: 'read', args: { on: id } }), ...honest('tool_use', request)];
}

/** An answer of text, with honest usage. */
export function tells(words: string): Script {
  return (request) => [...says(0, words), ...honest('end_turn', request)];
}

/** Ends an answer with the usage of its request. */
export function honest(reason: 'tool_use' | 'end_turn', request: Request): readonly StreamPart[] {
  return stops(reason, { inputTokens: tokensOf(request), outputTokens: 20 });
}

/** A finished talk of so many turns, each with a result of some 1,000 tokens. */
export function pastTalk(turns: number): readonly Message[] {
  const timestamp = '2026-01-01T00:00:00Z';
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return Array.from({ length: turns }, (_, turn): readonly Message[] => {
    const call = { type: 'tool_call' as const, id: `past${turn}`, name: 'read', arguments: JSON.stringify({ file_path: `/ws/file${turn}.ts` }) };
    const answer = { role: 'assistant' as const, rawStopReason: '', usage, timestamp };
    return [
      { role: 'user', content: [{ type: 'text', text: `Question ${turn}` }], timestamp },
      { ...answer, stopReason: 'tool_use', content: [call] },
      { role: 'tool_result', toolCallId: call.id, toolName: 'read', content: [{ type: 'text', text: 'word '.repeat(1_000) }], isError: false, timestamp },
      { ...answer, stopReason: 'end_turn', content: [{ type: 'text', text: `Answer ${turn}` }] },
    ];
  }).flat();
}

/** Scripts for a talk in which summaries are asked for at any time. */
export function withSummaries(talk: readonly Script[], summaries: readonly Script[]): readonly Script[] {
  const [rounds, written] = [[...talk], [...summaries]];
  return [...talk, ...summaries].map((): Script => (request) => {
    const script = (isSummaryRequest(request) ? written : rounds).shift();
    if (script === undefined) throw new Error('This was asked for too often.');
    return typeof script === 'function' ? script(request) : script;
  });
}
