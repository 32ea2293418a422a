import type { ModelInfo } from '../../domain/provider.js';
import { VSCODE_LM } from '../lm/models.js';
import type { Secrets } from '../settings/secrets.js';
import type { ModelSource } from './source.js';

/** How long opening the chat may wait for models of VS Code or of a local server, in milliseconds. */
const PATIENCE_MS = 300;
/** The local server that is tried by itself. */
const LOCAL = 'ollama';

/** A model that nobody chose, and in words why it is this one. */
export interface FirstChoice {
  readonly source: ModelSource;
  readonly id: string;
  readonly why: string;
}

/**
 * The model for new sessions where none is set: a provider whose key is there, in the order of the sources; else a
 * model of VS Code; else a local server that answers; else the last source, the demo. Nothing of this asks the person.
 */
export async function firstChoice(sources: readonly ModelSource[], secrets: Secrets): Promise<FirstChoice | undefined> {
  for (const source of sources) {
    if (source.key === undefined || source.defaultModel === undefined) continue;
    if ((await secrets.key(source.key)) !== undefined) return { source, id: source.defaultModel, why: `there is an API key for ${source.label}` };
  }
  const named = (name: string): ModelSource | undefined => sources.find(({ id }) => id === name);
  const [vsCode, local] = await Promise.all([first(named(VSCODE_LM)), first(named(LOCAL))]);
  if (vsCode !== undefined) return { ...vsCode, why: 'it is offered in this VS Code' };
  if (local !== undefined) return { ...local, why: `${local.source.label} runs on this machine` };
  const last = sources.at(-1);
  return last?.defaultModel === undefined ? undefined : { source: last, id: last.defaultModel, why: 'no other model is set up' };
}

/** The first model of a source, unless it takes too long. A model that can call tools is preferred. */
async function first(source: ModelSource | undefined): Promise<{ readonly source: ModelSource; readonly id: string } | undefined> {
  if (source === undefined) return undefined;
  const models = await listInTime(source);
  const model = models.find(({ supportsTools }) => supportsTools) ?? models[0];
  return model === undefined ? undefined : { source, id: model.id };
}

async function listInTime(source: ModelSource): Promise<readonly ModelInfo[]> {
  let timer: NodeJS.Timeout | undefined;
  const controller = new AbortController();
  const late = new Promise<readonly ModelInfo[]>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, []);
  });
  try {
    return await Promise.race([source.list(controller.signal), late]);
  } catch {
    // What cannot be listed is not there to be chosen by itself; the picker says why.
    return [];
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
