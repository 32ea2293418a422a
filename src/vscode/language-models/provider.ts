import { outputInWords } from '../../domain/model/output.js';
import type { Provider } from '../../domain/model/provider.js';
import { PartStream } from '../../provider/part-stream.js';
import { askingAgain, RefusalMemory } from '../../provider/refusal/asking-again.js';
import { answerParts } from './answer-parts.js';
import type { LmApi } from './wire.js';
import { VSCODE_LM } from './models.js';

/** The models that the user already has in VS Code, through its Language Model API. */
export function createVsCodeLmProvider(api: LmApi, now?: () => string): Provider {
  const memory = new RefusalMemory();
  return {
    name: VSCODE_LM,
    stream: (request, signal) =>
      new PartStream(
        (inner) =>
          askingAgain({ request, memory, server: () => '', parts: (asked, leftOut) => answerParts(api, { request: outputInWords(asked), leftOut }, inner) }),
        signal,
        now,
      ),
  };
}
