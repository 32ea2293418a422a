import { lastToolResults, type RecordedRequest, type Reply, reply, resultText } from './model-server/index.js';

/** What a model answers to a request. */
export type Script = (request: RecordedRequest) => Reply | Promise<Reply>;

/** What an agent was told, which begins with `PART` in tests; empty in requests of the chat. */
export function partOf({ body }: RecordedRequest): string {
  return /PART [^"\\]*/.exec(JSON.stringify(body.messages[0]?.content ?? ''))?.[0] ?? '';
}

/** Answers requests of the chat by one script, and those of agents by another. */
export const scripts =
  (chat: Script, agent: Script): Script =>
  (request) =>
    partOf(request) === '' ? chat(request) : agent(request);

/** The results that a request brings back. */
export const results = ({ body }: RecordedRequest): readonly string[] => lastToolResults(body).map(resultText);

/** Arguments of a call that gives a part away. */
export const part = (name: string, type?: string): object => ({
  description: `Look at ${name}`,
  prompt: `PART ${name}`,
  ...(type === undefined ? {} : { agent_type: type }),
});

/** Gives parts away in one answer, and then says what came of them. */
export const givesAway =
  (...parts: readonly object[]): Script =>
  (request) =>
    results(request).length === 0
      ? parts.reduce<ReturnType<typeof reply>>((all, args) => all.toolCall('agent', args), reply())
      : reply().text(results(request).join(' | '));

/** Makes one call, and then says what came of it. */
export const calls =
  (tool: string, args: object): Script =>
  (request) =>
    results(request).length === 0 ? reply().toolCall(tool, args) : reply().text(`It says: ${results(request).join(' ')}`);

/** Says a text, whatever is asked. */
export const says =
  (text: string): Script =>
  () =>
    reply().text(text);
