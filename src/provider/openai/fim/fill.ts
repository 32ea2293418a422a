import type { FillProvider, FillWay } from '../../../domain/model/fill.js';
import { recorded, withEnd } from '../../http/recorded.js';
import type { OpenAiOptions } from '../options.js';

/**
 * Servers that speak chat completions, as far as they fill in the middle too. What talks to them is loaded with the first
 * request.
 */
export function createOpenAiFill(options: OpenAiOptions): FillProvider {
  /** What a server said of a model, by address and model. */
  const said = new Map<string, FillWay>();
  return {
    async way(model, signal) {
      const known = knownWay(options, model);
      if (known !== undefined) return known;
      const key = `${options.baseUrl() ?? ''} ${model}`;
      const way = said.get(key) ?? (await asked(options, model, signal));
      if (way !== undefined) said.set(key, way);
      return way ?? 'none';
    },
    async fill(request, signal) {
      const { requestFill } = await import('./request-fill.js');
      const { options: noted, ended } = recorded(options, { provider: options.name, model: request.model, keyVariable: options.preset.keyVariable });
      return withEnd(requestFill(noted, request, signal), ended);
    },
  };
}

/**
 * What is known beforehand; `undefined` when the server has to be asked. Sources, November 2026: docs.mistral.ai, "Fill in the
 * middle"; the completions of vLLM and LM Studio take a prompt as it is, and vLLM refuses a suffix.
 */
function knownWay(options: OpenAiOptions, model: string): FillWay | undefined {
  switch (options.preset.id) {
    case 'mistral':
      return /codestral/i.test(model) ? 'suffix' : 'none';
    case 'ollama':
      return undefined;
    case 'vllm':
    case 'lmstudio':
      return 'prompt';
    case 'openai':
      // A server of the user's own, which resembles none that is known; OpenAI itself has no such models.
      return options.baseUrl() === undefined ? 'none' : 'prompt';
    case 'openrouter':
    case 'deepseek':
    case 'gemini':
      return 'none';
  }
}

async function asked(options: OpenAiOptions, model: string, signal: AbortSignal): Promise<FillWay | undefined> {
  const { ollamaInserts } = await import('./request-fill.js');
  const inserts = await ollamaInserts(options, model, signal);
  return inserts === undefined ? undefined : inserts ? 'suffix' : 'none';
}
