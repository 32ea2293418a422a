import { t } from '../../../domain/l10n.js';
import type { Provider } from '../../../domain/model/provider.js';
import type { OpenAiOptions } from '../options.js';

/**
 * Lets a provider tell the context window that its server gives a model. Only Ollama decides on it when it loads the
 * model, and its address for chat completions does not take a wish (`num_ctx`). Its native API would, but each other
 * value makes it load the model anew, perhaps into less memory than that takes; so the size stays the choice of whoever
 * runs the server. Sources: docs.ollama.com, "Context length"; Kilo-Org/kilocode#2170.
 */
export function withServedWindow(provider: Provider, options: OpenAiOptions): Provider {
  if (options.preset.id !== 'ollama') return provider;
  return {
    ...provider,
    servedWindow: {
      async read(model, signal) {
        const { runningContext } = await import('./ollama.js');
        return runningContext(options, model, signal);
      },
      get advice() {
        return t(
          'To get a larger one, set OLLAMA_CONTEXT_LENGTH (such as to 64000) for the Ollama server, or num_ctx in the model’s Modelfile, then restart Ollama.',
        );
      },
    },
  };
}
