import type * as vscode from 'vscode';
import type { Act } from '../../../support/stream-conformance.js';
import type { LmApi } from '../../../../src/vscode/language-models/wire.js';

/** A request as the fake model saw it. */
export interface SeenRequest {
  readonly messages: readonly vscode.LanguageModelChatMessage[];
  readonly options: vscode.LanguageModelChatRequestOptions;
  /** Resolves when the exchange is over; with `true` when the client ended it before the model did. */
  readonly ended: Promise<boolean>;
}

/** What VS Code throws. */
export class FakeLmError extends Error {
  constructor(
    readonly code: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

class TextPart {
  constructor(readonly value: string) {}
}
class CallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}
class ResultPart {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}
class DataPart {
  constructor(
    readonly data: Uint8Array,
    readonly mimeType: string,
  ) {}
  static image(data: Uint8Array, mime: string): DataPart {
    return new DataPart(data, mime);
  }
}
class ChatMessage {
  constructor(
    readonly role: number,
    readonly content: unknown,
  ) {}
  static User(content: unknown): ChatMessage {
    return new ChatMessage(1, content);
  }
  static Assistant(content: unknown): ChatMessage {
    return new ChatMessage(2, content);
  }
}
class Cancellation {
  private readonly controller = new AbortController();
  readonly token = {
    signal: this.controller.signal,
    controller: this.controller,
    get isCancellationRequested(): boolean {
      return this.signal.aborted;
    },
  };
  cancel(): void {
    this.controller.abort();
  }
  dispose(): void {
    // Nothing is held.
  }
}

/** A model of the Language Model API that plays acts, in an API that is otherwise empty. What is not set up fails. */
export class FakeLm {
  readonly requests: SeenRequest[] = [];
  acts: readonly Act[] = [];
  /** What `sendRequest` fails with. */
  refusal: Error | undefined;
  /** Decides on each request as it comes, in place of {@link acts} and {@link refusal}. */
  script: ((seen: SeenRequest) => { readonly acts?: readonly Act[]; readonly refusal?: Error }) | undefined;
  /** What the stream fails with at a cut. */
  cut: Error = new FakeLmError('Unknown', 'Response was cut', new Error('socket hang up'));
  /** Parts of kinds that the stable API does not know, sent first. */
  strange: readonly unknown[] = [];
  models: readonly Partial<vscode.LanguageModelChat>[] = [{ vendor: 'acme', id: 'm/1', name: 'Acme One', maxInputTokens: 1_000 }];
  readonly api: LmApi;

  constructor() {
    const parts = { LanguageModelTextPart: TextPart, LanguageModelToolCallPart: CallPart, LanguageModelToolResultPart: ResultPart };
    const others = { LanguageModelDataPart: DataPart, LanguageModelChatMessage: ChatMessage, CancellationTokenSource: Cancellation };
    const selectChatModels = (selector?: vscode.LanguageModelChatSelector): Promise<readonly unknown[]> => Promise.resolve(this.select(selector));
    this.api = { ...parts, ...others, lm: { selectChatModels } } as unknown as LmApi;
  }

  private select(selector: vscode.LanguageModelChatSelector = {}): readonly unknown[] {
    const found = this.models.filter(({ vendor, id }) => (selector.vendor ?? vendor) === vendor && (selector.id ?? id) === id);
    return found.map((model) => ({ ...model, sendRequest: this.send }));
  }

  private readonly send = (messages: vscode.LanguageModelChatMessage[], options: vscode.LanguageModelChatRequestOptions, token: Cancellation['token']) => {
    let over: (byClient: boolean) => void = () => undefined;
    this.requests.push({ messages, options, ended: new Promise((resolve) => (over = resolve)) });
    token.signal.addEventListener('abort', () => over(true));
    const seen = this.requests.at(-1);
    const decided = seen && this.script?.(seen);
    if (decided !== undefined) [this.acts, this.refusal] = [decided.acts ?? [], decided.refusal];
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    return Promise.resolve({ stream: this.play(token.signal, over) });
  };

  private async *play(signal: AbortSignal, over: (byClient: boolean) => void): AsyncGenerator {
    yield* this.strange;
    for (const act of this.acts) {
      if (act.kind === 'cut') throw this.cut;
      if (act.kind === 'silence') await cancelled(signal);
      if (act.kind === 'calls')
        yield* act.calls.map(
          ({ id, name, deltas }) => new CallPart(id, name, JSON.parse(deltas.filter((delta) => typeof delta === 'string').join('') || '{}') as object),
        );
      if (act.kind !== 'text') continue;
      for (const delta of act.deltas) {
        if (typeof delta === 'string') yield new TextPart(delta);
        else await Promise.race([delta.pass(), cancelled(signal)]);
      }
    }
    over(false);
  }
}

function cancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new FakeLmError('Unknown', 'Canceled'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
