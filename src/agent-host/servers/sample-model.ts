import { AbortError, errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { hasToolCalls, textContent } from '../../domain/model/message.js';
import type { ModelInfo, Provider } from '../../domain/model/provider.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { SampleCompletion, SampleModel } from '../../mcp/asking/sampling.js';

/** A chat, as far as its model answers servers. */
export type SampledSession = Pick<AgentSession, 'model' | 'ask'>;

/** Dependencies of {@link sampleModelOf}. */
export interface SampleModelDeps {
  /** Finds a model by its name `provider/model`. */
  readonly choose: (key: string) => Promise<{ readonly provider: Provider; readonly model: ModelInfo }>;
  readonly log: Log;
}

/** Has the model of a chat answer what servers ask it, each in a request of its own. What it uses is counted as the chat's. */
export async function sampleModelOf(session: SampledSession, { choose, log }: SampleModelDeps): Promise<SampleModel> {
  const { provider, model } = await choose(modelKey(session.model));
  return {
    info: model,
    async complete(request, signal): Promise<SampleCompletion> {
      const answer = await session.ask(request, { provider, model, signal });
      if (signal.aborted) throw new AbortError();
      const { message, usage, error } = answer;
      if (error !== undefined) log.warn(`A model did not answer an MCP server: ${errorMessage(error)}`);
      // Errors between Gnomon and a provider are hidden from the server.
      if (message === undefined || error !== undefined || hasToolCalls(message))
        return { text: '', cutOff: false, usage, problem: 'The model did not answer.' };
      return { text: textContent(message), cutOff: message.stopReason === 'length', usage };
    },
  };
}
