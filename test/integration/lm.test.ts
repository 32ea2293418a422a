import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isAbortError, ProviderError } from '../../src/domain/errors.js';
import type { EventStream } from '../../src/domain/model/event-stream.js';
import type { Request } from '../../src/domain/model/provider.js';
import type { StreamEvent } from '../../src/domain/model/stream-event.js';
import { listVsCodeModels } from '../../src/vscode/language-models/models.js';
import { createVsCodeLmProvider } from '../../src/vscode/language-models/provider.js';

/** What the extension in test/fixtures/model-extension gives a test. */
interface ModelHandle {
  readonly requests: readonly {
    readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
    readonly options: vscode.ProvideLanguageModelChatResponseOptions;
    readonly token: vscode.CancellationToken;
  }[];
  answer: (report: (part: vscode.LanguageModelResponsePart) => void, token: vscode.CancellationToken) => Promise<void>;
  readonly parts: { readonly text: typeof vscode.LanguageModelTextPart; readonly call: typeof vscode.LanguageModelToolCallPart };
}

/** An image of one pixel: VS Code decodes images on their way to a model. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
const TIME = '2026-01-02T03:04:05.678Z';

/** Needs the extension of test/fixtures/model-extension in the same window. */
describe('the models of VS Code (vscode-lm)', () => {
  const provider = createVsCodeLmProvider(vscode);
  let model: ModelHandle;

  before(async () => {
    const extension = vscode.extensions.getExtension<ModelHandle>('gnomon-test.model-extension');
    assert.ok(extension, 'the window was started without test/fixtures/model-extension');
    model = await extension.activate();
  });

  function start(change: Partial<Request> = {}, signal = new AbortController().signal): EventStream {
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }], timestamp: TIME }];
    return provider.stream({ model: 'gnomon-test/played', systemPrompt: 'Be a test.', messages, tools: [], ...change }, signal);
  }

  async function drain(stream: EventStream): Promise<readonly StreamEvent[]> {
    const events: StreamEvent[] = [];
    for await (const event of stream) events.push(event);
    return events;
  }

  it('are listed without asking the person', async () => {
    const models = await listVsCodeModels(vscode);
    const played = models.find(({ id }) => id === 'gnomon-test/played');
    assert.equal(played?.label, 'Played');
    assert.ok(played.contextWindow >= 10_000);
  });

  it('P13 P15: text arrives part by part and ends the turn', async () => {
    model.answer = (report) => {
      for (const text of ['one ', 'two ', '世界 👍']) report(new model.parts.text(text));
      return Promise.resolve();
    };
    const stream = start();
    const text = (await drain(stream)).map((event) => (event.type === 'text_delta' ? event.delta : '?')).join('');
    assert.equal(text, 'one two 世界 👍');
    assert.equal(stream.message().stopReason, 'end_turn');
    const first = model.requests.at(-1)?.messages[0];
    assert.equal(first?.role, vscode.LanguageModelChatMessageRole.User);
    assert.ok(JSON.stringify(first.content).includes('Be a test.'));
  });

  it('P50: a call arrives with its arguments, and goes back with its result and an image', async () => {
    model.answer = (report) => {
      report(new model.parts.call('c1', 'read', { path: 'a.ts', n: 2 }));
      return Promise.resolve();
    };
    const stream = start({ tools: [{ name: 'read', description: 'Reads', parameters: { type: 'object', properties: {} } }] });
    await drain(stream);
    const call = { type: 'tool_call' as const, id: 'c1', name: 'read', arguments: '{"path":"a.ts","n":2}' };
    assert.deepEqual(stream.message().content, [call]);
    assert.equal(stream.message().stopReason, 'tool_use');
    assert.equal(model.requests.at(-1)?.options.tools?.[0]?.name, 'read');
    model.answer = () => Promise.resolve();
    const image = { type: 'image' as const, data: new Uint8Array(PIXEL), mimeType: 'image/png' as const };
    const messages = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'Look' }, image], timestamp: TIME },
      stream.message(),
      { role: 'tool_result' as const, toolCallId: 'c1', toolName: 'read', content: [{ type: 'text' as const, text: 'done' }], isError: false, timestamp: TIME },
    ];
    await drain(start({ systemPrompt: '', messages }));
    const [asked, answered, result] = model.requests.at(-1)?.messages ?? [];
    assert.ok(asked?.content.some((part) => part instanceof vscode.LanguageModelDataPart && part.data.length > 0));
    assert.ok(answered?.content.some((part) => part instanceof vscode.LanguageModelToolCallPart && part.callId === 'c1'));
    assert.ok(result?.content.some((part) => part instanceof vscode.LanguageModelToolResultPart && part.callId === 'c1'));
  });

  for (const how of ['abort', 'close'] as const) {
    it(`P17 P24: ${how} in the middle keeps what arrived and tells the model`, async () => {
      const cancelled = new Promise<void>((resolve) => {
        model.answer = async (report, token) => {
          report(new model.parts.text('partly'));
          await new Promise<void>((done) => {
            token.onCancellationRequested(() => done());
          });
          resolve();
        };
      });
      const controller = new AbortController();
      const stream = start({}, controller.signal);
      await stream.next();
      const pending = stream.next().then(
        () => assert.fail('The pull should have failed.'),
        (error: unknown) => error,
      );
      if (how === 'abort') controller.abort();
      else await stream.close();
      assert.ok(isAbortError(await pending));
      await cancelled;
      assert.deepEqual(stream.message().content, [{ type: 'text', text: 'partly' }]);
      assert.equal(stream.message().stopReason, 'aborted');
    });
  }

  const failures = [
    ['NoPermissions', 'consent', vscode.LanguageModelError.NoPermissions('no')],
    ['Blocked', 'quota', vscode.LanguageModelError.Blocked('out of quota')],
    ['NotFound', 'not_found', vscode.LanguageModelError.NotFound('gone')],
    ['any other error', 'server', new Error('socket hang up')],
  ] as const;
  for (const [name, kind, error] of failures) {
    it(`${name} is a failure of kind ${kind}`, async () => {
      model.answer = () => Promise.reject(error);
      await assert.rejects(drain(start()), (thrown) => thrown instanceof ProviderError && thrown.kind === kind);
    });
  }

  it('a model that is not there is not found', async () => {
    await assert.rejects(drain(start({ model: 'gnomon-test/absent' })), (thrown) => thrown instanceof ProviderError && thrown.kind === 'not_found');
  });
});
