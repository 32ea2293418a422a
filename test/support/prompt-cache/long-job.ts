import type { AgentSession } from '../../../src/engine/agent-session.js';
import { createAgentSession } from '../../../src/engine/live-session.js';
import { systemPrompt } from '../../../src/engine/system-prompt.js';
import type { CacheDuration } from '../../../src/provider/anthropic/endpoint.js';
import { anthropicModelInfo } from '../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../src/provider/anthropic/provider.js';
import { openAiModelInfo } from '../../../src/provider/openai/models/models.js';
import { type PresetId, presetOf } from '../../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../../src/provider/openai/provider.js';
import { allTools } from '../all-tools.js';
import { memorySession } from '../memory-session.js';
import { type RecordedRequest, reply, startModelServer } from '../model-server/index.js';
import { type ChatBody, type Step, chunk, DONE, sse, startOpenAiServer } from '../openai-server/index.js';

/** What differs between jobs. */
export interface LongJob {
  readonly rounds: number;
  /** Calls of one answer. */
  readonly callsPerRound: number;
  /** How long the prompts are to be kept. */
  readonly cacheDuration?: CacheDuration;
}

/** The model that the job is billed for. */
export const JOB_MODEL = 'claude-sonnet-5-5';

/** Lines of each file of the job's workspace. */
const LINES = 120;

/**
 * Runs a job of many rounds through the real engine, tools and Anthropic provider over HTTP: in each round the model
 * thinks, says a sentence and reads files; at the end it answers. Returns the requests as the server got them.
 */
export async function runLongJob(job: LongJob): Promise<readonly RecordedRequest[]> {
  const server = await startModelServer();
  server.setScript(({ n }) => (n < job.rounds - 1 ? round(n, job.callsPerRound) : reply().text('All files are read. The job is done.')));
  const session = startSession(server.url, job);
  try {
    await finish(session);
    return server.requests;
  } finally {
    await session.close();
    await server.close();
  }
}

/** A job over chat completions. */
interface ChatJob extends LongJob {
  readonly preset: PresetId;
  readonly model: string;
}

/** Runs the same job through the real provider for chat completions. Returns the bodies as the server got them. */
export async function runChatJob(job: ChatJob): Promise<readonly ChatBody[]> {
  const server = await startOpenAiServer();
  const asked = (): number => server.requests.length - 1;
  server.setScript(() => sse(...chatRound(asked(), asked() < job.rounds - 1 ? job.callsPerRound : 0), DONE));
  const preset = presetOf(job.preset);
  const provider = createOpenAiProvider({ name: job.preset, preset, apiKey: () => Promise.resolve('sk-test'), baseUrl: () => server.url });
  const model = { ...openAiModelInfo(job.preset, preset, job.model), contextWindow: 1_000_000 };
  const session = createAgentSession({
    ...memorySession({ systemPrompt: systemPrompt('Platform: linux'), tools: allTools({ files: filesOf(job) }) }),
    provider,
    model,
  });
  try {
    await finish(session);
    return server.requests.map(({ body }) => body);
  } finally {
    await session.close();
    await server.close();
  }
}

async function finish(session: AgentSession): Promise<void> {
  const turn = await session.send([{ type: 'text', text: 'Read all the parts and tell me what they have in common.' }]).turn;
  if (turn.end !== 'end_turn') throw new Error('The job did not come to its end.', { cause: turn.error });
}

/** The chunks of an answer that reads so many files; without any, of the last one. */
function chatRound(n: number, calls: number): readonly Step[] {
  if (calls === 0) return [chunk({ content: 'All files are read. The job is done.' }, 'stop')];
  const thought = { type: 'reasoning.text', text: `Part ${n} is next.`, signature: `signature-${n}`, format: 'anthropic-claude-v1', index: 0 };
  const read = (at: number): object => ({
    index: at,
    id: `call_${n}_${at}`,
    type: 'function',
    function: { name: 'read', arguments: JSON.stringify({ file_path: `src/part-${n}-${at}.ts` }) },
  });
  return [
    chunk({ reasoning: thought.text, reasoning_details: [thought] }),
    chunk({ content: `Now part ${n}.` }),
    chunk({ tool_calls: Array.from({ length: calls }, (_, at) => read(at)) }, 'tool_calls'),
  ];
}

function round(n: number, calls: number): ReturnType<typeof reply> {
  const thought = reply().thinking(`Part ${n} is next; its functions may call those of the parts before it.`, `signature-${n}`);
  const said = thought.text(`Now part ${n}.`);
  return Array.from({ length: calls }, (_, at) => ({ file_path: `src/part-${n}-${at}.ts` })).reduce((answer, args) => answer.toolCall('read', args), said);
}

function startSession(url: string, job: LongJob): AgentSession {
  const model = anthropicModelInfo(JOB_MODEL);
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('sk-test'), baseUrl: () => url, cacheDuration: () => job.cacheDuration ?? '5m' });
  const tools = allTools({ files: filesOf(job) });
  return createAgentSession({ ...memorySession({ systemPrompt: systemPrompt('Platform: linux'), tools }), provider, model });
}

function filesOf({ rounds, callsPerRound }: LongJob): Readonly<Record<string, string>> {
  const names = Array.from({ length: rounds * callsPerRound }, (_, at) => `${Math.floor(at / callsPerRound)}-${at % callsPerRound}`);
  return Object.fromEntries(names.map((name) => [`/ws/src/part-${name}.ts`, fileText(name)]));
}

function fileText(name: string): string {
  const lines = Array.from({ length: LINES }, (_, at) => `export const value${at} = combine('${name}', ${at}, previous.value${at % 7});`);
  return `${lines.join('\n')}\n`;
}
