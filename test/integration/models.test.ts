import assert from 'node:assert/strict';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { createAnthropicProvider } from '../../src/provider/anthropic/provider.js';
import { presetOf } from '../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../src/provider/openai/provider.js';
import type { Provider } from '../../src/domain/model/provider.js';
import { readEndpoints } from '../../src/models/custom-endpoints.js';
import { WINDOW } from '../../src/vscode/composition/window-ports.js';
import { Layers } from '../../src/customization/layers.js';
import { FileSettings } from '../../src/customization/settings.js';

const NO_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A proxy on loopback that notes what it is asked for and lets nothing through. */
interface Proxy {
  readonly url: string;
  /** Lines such as `CONNECT api.example.com:443`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

async function startProxy(): Promise<Proxy> {
  const asked: string[] = [];
  const note = (request: IncomingMessage): number => asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
  const server: Server = createServer((request, response) => {
    note(request);
    response.writeHead(502, { 'content-type': 'text/plain' });
    response.end('the proxy of the test');
  });
  server.on('connect', (request, socket) => {
    note(request);
    socket.end('HTTP/1.1 502 the proxy of the test\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

async function configure(section: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(section, value, vscode.ConfigurationTarget.Global);
}

const anthropic = (address: string): Provider => createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => address });
const openai = (address: string): Provider =>
  createOpenAiProvider({ name: 'openai', preset: presetOf('openai'), apiKey: () => Promise.resolve('k'), baseUrl: () => address });

describe('models and their settings', () => {
  it('the settings of models are read as they are written', async () => {
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    const layers = new Layers(WINDOW, NO_LOG);
    const settings = new FileSettings(WINDOW, layers);
    assert.deepEqual(plain(settings.customModels()), []);
    assert.deepEqual(plain(settings.customProviders()), {});
    await configure('gnomon.providers', { mine: { baseUrl: 'https://models.example.com/v1' } });
    try {
      assert.deepEqual(plain(settings.customProviders()), { mine: { baseUrl: 'https://models.example.com/v1' } });
      const { value, problems } = readEndpoints(settings.customProviders(), {});
      assert.deepEqual([value.at(-1)?.id, problems], ['mine', []]);
    } finally {
      await configure('gnomon.providers', undefined);
      settings.dispose();
      layers.dispose();
    }
  });

  describe('stream-10: requests to models go through the proxy of the settings', () => {
    let proxy: Proxy;
    before(async () => {
      proxy = await startProxy();
      await configure('http.proxy', proxy.url);
    });
    after(async () => {
      await configure('http.proxy', undefined);
      await proxy.close();
    });

    for (const [name, make] of [
      ['anthropic', anthropic],
      ['openai', openai],
    ] as const) {
      for (const [scheme, line] of [
        ['http', /^(POST http:\/\/models\.gnomon-test\.example\/|CONNECT models\.gnomon-test\.example:80$)/],
        ['https', /^CONNECT models\.gnomon-test\.example:443$/],
      ] as const) {
        it(`${name} over ${scheme}`, async () => {
          const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }], timestamp: '2026-01-01T00:00:00Z' }];
          const provider = make(`${scheme}://models.gnomon-test.example`);
          const before = proxy.asked.length;
          const stream = provider.stream({ model: '', systemPrompt: '', messages, tools: [] }, new AbortController().signal);
          await assert.rejects(stream.next());
          assert.ok(proxy.asked.length > before, 'the proxy was asked for nothing');
          for (const asked of proxy.asked.slice(before)) assert.match(asked, line);
        });
      }
    }
  });
});
