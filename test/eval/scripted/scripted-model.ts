import { anthropicModelInfo, DEFAULT_MODEL } from '../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../src/provider/anthropic/provider.js';
import { type RecordedRequest, type Reply, httpError, reply, startModelServer } from '../../support/model-server/index.js';
import type { PlannedRun } from '../measure.js';
import type { Agent } from '../run-task.js';
import { tasks } from '../tasks/index.js';
import { BEHAVIORS, answersOf } from './answers.js';

/** What every answer of the script is said to have used, in tokens; what comes from the cache grows by as much with every round. */
const USAGE = { uncached: 200, written: 300, output: 40, cachedPerRound: 1000 };

/** A script in place of a model. */
export interface ScriptedModel {
  readonly name: string;
  readonly agentOf: (planned: PlannedRun) => Agent;
  readonly close: () => Promise<void>;
}

/**
 * Starts a server on loopback that speaks Anthropic's Messages API and plays a script: it solves some tasks, fails others in known ways,
 * makes errors and reads from a cache. It is asked through the real provider.
 * @param prompts system prompts in place of Gnomon's own, by their index
 */
export async function startScriptedModel(prompts: readonly string[]): Promise<ScriptedModel> {
  const server = await startModelServer({ script: answer });
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('none'), baseUrl: () => server.url });
  const known = anthropicModelInfo(DEFAULT_MODEL);
  return {
    name: 'scripted',
    // The server knows by the id of the model what it is asked about. The price is that of a real model.
    agentOf: ({ task, run, prompt: at }) => {
      const prompt = prompts[at];
      return { provider, model: { ...known, id: `${task.name}/${run}`, efforts: [] }, effort: 'off', ...(prompt === undefined ? {} : { prompt }) };
    },
    close: () => server.close(),
  };
}

function answer({ body }: RecordedRequest): Reply {
  const [name = '', run = ''] = body.model.split('/');
  const at = tasks.findIndex((task) => task.name === name);
  const [task, behavior] = [tasks[at], BEHAVIORS[at % BEHAVIORS.length]];
  const round = body.messages.filter(({ role }) => role === 'assistant').length;
  const next = task === undefined || behavior === undefined ? undefined : answersOf(task, behavior, Number(run))[round];
  if (next === undefined) return httpError(404, 'not_found_error', `There is no answer ${round} for ${body.model}.`);
  const said = next.say === '' ? reply() : reply().text(next.say);
  const { uncached, written, output, cachedPerRound } = USAGE;
  return next.calls
    .reduce((made, { tool, args }) => made.toolCall(tool, args), said)
    .usage(
      { input_tokens: uncached, cache_creation_input_tokens: written, cache_read_input_tokens: cachedPerRound * round, output_tokens: 1 },
      { output_tokens: output },
    );
}
