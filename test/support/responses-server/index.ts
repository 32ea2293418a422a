import { type ChatRequest, type OpenAiServer, type Reply, json, startOpenAiServer } from '../openai-server/index.js';
import { ApiRules } from './api-rules.js';
import { type Output, answer } from './output.js';

export { answer, begun, called, event, interleaved, open, type Output, reasoning, refused, said, saidAs, searched, USAGE } from './output.js';

/** What a request is answered with: a whole answer of these items, or anything else. */
type Answer = readonly Output[] | Reply;

/** A server on loopback that speaks Responses, and refuses what the real API refuses. */
export interface ResponsesServer extends OpenAiServer {
  /** What it refused, in its words. */
  readonly problems: readonly string[];
  /** Decides what the next requests are answered with, one after another; the last one repeats. */
  play(...answers: readonly Answer[]): void;
}

/** Those that it lists. */
const MODELS = ['gpt-5.6-terra', 'gpt-5.2'];

/** Starts a server. Nothing outside this machine can reach it. */
export async function startResponsesServer(): Promise<ResponsesServer> {
  const server = await startOpenAiServer();
  const rules = new ApiRules();
  const problems: string[] = [];
  const replyTo = (request: ChatRequest, next: Answer): Reply => {
    if (!isItems(next)) return next;
    rules.issue(String(request.body.model), next);
    return answer(...next);
  };
  return Object.assign(server, {
    problems,
    play: (...answers: readonly Answer[]) => {
      const left = [...answers];
      server.setScript((request) => {
        if (request.path === '/v1/models') return json({ object: 'list', data: MODELS.map((id) => ({ id, object: 'model' })) });
        if (request.path !== '/v1/responses') return undefined;
        const problem = rules.problemOf(request.body);
        if (problem !== undefined) {
          problems.push(problem);
          return json({ error: { message: problem, type: 'invalid_request_error', param: 'input', code: null } }, 400);
        }
        const next = left.length > 1 ? left.shift() : left[0];
        return next === undefined ? undefined : replyTo(request, next);
      });
    },
  });
}

function isItems(next: Answer): next is readonly Output[] {
  return Array.isArray(next);
}
