import { outputInWords } from '../../domain/model/output.js';
import type { Provider } from '../../domain/model/provider.js';
import { PartStream } from '../../provider/part-stream.js';
import { askingAgain, RefusalMemory } from '../../provider/refusal/asking-again.js';
import { answerParts } from './answer-parts.js';
import type { LmApi } from './wire.js';
import { EDITOR_MODELS, type ModelSource } from '../../models/source.js';
import { listVsCodeModels, vsCodeModelInfo } from './models.js';

/** The models that the user already has in VS Code, through its Language Model API. */
export function createVsCodeLmProvider(api: LmApi, now?: () => string): Provider {
  const memory = new RefusalMemory();
  return {
    name: EDITOR_MODELS,
    stream: (request, signal) =>
      new PartStream(
        (inner) =>
          askingAgain({ request, memory, server: () => '', parts: (asked, leftOut) => answerParts(api, { request: outputInWords(asked), leftOut }, inner) }),
        signal,
        now,
      ),
  };
}

/** The same as a source of models. */
export function vsCodeLmSource(api: LmApi): ModelSource & { readonly onDidChange: (listener: () => void) => () => void } {
  return {
    id: EDITOR_MODELS,
    label: 'VS Code',
    provider: createVsCodeLmProvider(api),
    isSetUp: async () => (await listVsCodeModels(api)).length > 0,
    list: () => listVsCodeModels(api),
    info: vsCodeModelInfo,
    onDidChange: (listener) => {
      const subscription = api.lm.onDidChangeChatModels(listener);
      return () => void subscription.dispose();
    },
  };
}
