import { parseEndpoint } from '../endpoint.js';
import { list, record } from '../json.js';
import type { OpenAiOptions } from '../options.js';
import { post } from './post.js';

/** The address of Ollama's own interface, beside the one that resembles OpenAI's. */
export function ollamaUrl(baseUrl: string, name: string): string {
  return `${baseUrl.replace(/\/v1$/, '')}/api/${name}`;
}

/**
 * Whether a model of Ollama fills in the middle; `undefined` when that cannot be found out now.
 * Source: docs.ollama.com, "Show model details".
 */
export async function ollamaInserts(options: OpenAiOptions, model: string, signal: AbortSignal): Promise<boolean | undefined> {
  try {
    const endpoint = parseEndpoint(options);
    const facts = record(await post({ options, endpoint, url: ollamaUrl(endpoint.baseUrl, 'show') }, { model }, signal));
    return facts === undefined ? undefined : list(facts['capabilities']).includes('insert');
  } catch {
    // The request that follows, in whatever way, tells the user what is wrong.
    return undefined;
  }
}
