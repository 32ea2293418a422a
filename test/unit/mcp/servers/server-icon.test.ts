import { describe, expect, test } from 'vitest';
import type { McpConfig } from '../../../../src/domain/mcp/config.js';
import type { McpIcon } from '../../../../src/domain/mcp/feature.js';
import type { McpServerState } from '../../../../src/domain/mcp/server.js';
import { hasIcon, serverIcon } from '../../../../src/mcp/servers/server-icon.js';
import { McpError } from '../../../../src/domain/mcp/connection.js';
import { entryOf, http, stdio } from './rig.js';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const inline = (bytes: Uint8Array, type = 'image/png'): string => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

function stateWith(src: string, config: McpConfig = stdio('a')): McpServerState {
  const icons: readonly McpIcon[] = [{ src }];
  const capabilities = { tools: true, resources: false, subscriptions: false, prompts: false, completions: false, logging: false };
  const agreement = { era: 'modern', revision: '2026-07-28', transport: 'stdio', server: { name: 'a', version: '1', icons }, capabilities } as const;
  return {
    ...entryOf('a', { config }),
    status: 'connected',
    agreement,
    tools: [],
    prompts: [],
    resources: [],
    templates: [],
    warnings: [],
    stderr: [],
    restarts: 0,
  };
}

/** Loads an icon; `asked` are the addresses that were asked for. */
async function load(
  state: McpServerState,
  answer: () => Promise<Response> = () => Promise.reject(new McpError('unreachable', 'No.')),
): Promise<{ readonly icon: unknown; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const icon = await serverIcon(
    state,
    () => (url) => {
      asked.push(String(url));
      return answer();
    },
    new AbortController().signal,
  );
  return { icon, asked };
}

describe('the icon of a server', () => {
  test('is what the server sent, if its bytes are an image', async () => {
    expect(hasIcon(stateWith(inline(PNG)))).toBe(true);
    expect(await load(stateWith(inline(PNG, 'image/svg+xml')))).toEqual({ icon: { mimeType: 'image/png', data: PNG }, asked: [] });
  });

  test.each([
    ['an SVG file with a script', inline(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'image/svg+xml')],
    ['an SVG file that says that it is a PNG', inline(Buffer.from('<svg onload="alert(1)"/>'))],
    ['one that is too large', inline(Buffer.concat([PNG, Buffer.alloc(300 * 1024)]))],
    ['bad Base64', 'data:image/png;base64,***'],
  ])('is not %s', async (_, src) => {
    expect(await load(stateWith(src))).toEqual({ icon: undefined, asked: [] });
  });

  test('is asked for on the server itself and nowhere else', async () => {
    const server = http('https://mcp.example.test/mcp');
    const found = (): Promise<Response> => Promise.resolve(new Response(PNG));
    expect(await load(stateWith('https://mcp.example.test/icon.png', server), found)).toEqual({
      icon: { mimeType: 'image/png', data: new Uint8Array(PNG) },
      asked: ['https://mcp.example.test/icon.png'],
    });
    for (const state of [stateWith('https://tracker.example.test/icon.png', server), stateWith('https://mcp.example.test/icon.png')]) {
      expect(hasIcon(state)).toBe(false);
      expect(await load(state, found)).toEqual({ icon: undefined, asked: [] });
    }
  });

  test('is none when it cannot be had', async () => {
    const state = stateWith('https://mcp.example.test/icon.png', http('https://mcp.example.test/mcp'));
    expect((await load(state)).icon).toBeUndefined();
    expect((await load(state, () => Promise.resolve(new Response('no', { status: 404 })))).icon).toBeUndefined();
  });
});
