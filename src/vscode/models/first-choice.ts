import { t } from '../../domain/l10n.js';
import { VSCODE_LM } from '../language-models/models.js';
import type { Secrets } from '../settings/secrets.js';
import type { CatalogEntry } from './catalog.js';
import type { ModelSource } from './source.js';

/** The local server that is taken by itself when it runs. */
const LOCAL = 'ollama';

/** A model that nobody chose, and in words why it is this one. */
export interface FirstChoice {
  readonly source: ModelSource;
  readonly id: string;
  readonly why: string;
}

/**
 * The model for new sessions where none is set: a provider whose key is there, in the order of the sources; else one of
 * the {@link listedChoice} as far as lists have come; else the last source, the demo. Asks nobody and waits for no list,
 * since the chat opens with it.
 */
export async function firstChoice(sources: readonly ModelSource[], secrets: Secrets, known: readonly CatalogEntry[]): Promise<FirstChoice | undefined> {
  for (const source of sources) {
    if (source.key === undefined || source.defaultModel === undefined) continue;
    if ((await secrets.key(source.key)) !== undefined) return { source, id: source.defaultModel, why: t('there is an API key for {0}', source.label) };
  }
  const last = sources.at(-1);
  const demo = last?.defaultModel === undefined ? undefined : { source: last, id: last.defaultModel, why: t('no other model is set up') };
  return listedChoice(known) ?? demo;
}

/** A model that needs no key: one of VS Code, else one of a local server that runs. One that can call tools is preferred. */
export function listedChoice(known: readonly CatalogEntry[]): FirstChoice | undefined {
  const vsCode = firstOf(known, VSCODE_LM);
  if (vsCode !== undefined) return { ...vsCode, why: t('it is offered in this VS Code') };
  const local = firstOf(known, LOCAL);
  return local === undefined ? undefined : { ...local, why: t('{0} runs on this machine', local.source.label) };
}

function firstOf(known: readonly CatalogEntry[], name: string): { readonly source: ModelSource; readonly id: string } | undefined {
  const entry = known.find(({ source }) => source.id === name);
  const model = entry?.models.find(({ supportsTools }) => supportsTools) ?? entry?.models[0];
  return entry === undefined || model === undefined ? undefined : { source: entry.source, id: model.id };
}
