import { get, type IncomingMessage } from 'node:http';
import type { McpSecretStore } from '../../src/domain/mcp/sign-in.js';
import { McpAuth } from '../../src/mcp/auth/mcp-auth.js';
import { openLoopback } from '../../src/node/mcp-auth/loopback.js';
import { createSignInFetch } from '../../src/node/mcp-auth/sign-in-fetch.js';

/** The client ID metadata document that the suite knows clients by. */
const DOCUMENT = 'https://conformance-test.local/client-metadata.json';

/** The product's sign-in, with a user who agrees to everything and a browser that follows every redirect. */
export function createSignIn(): McpAuth {
  return new McpAuth({
    store: memoryStore(),
    used: new Set(),
    signInFetch: createSignInFetch(),
    clientMetadataUrl: () => DOCUMENT,
    confirm: () => Promise.resolve(true),
    openExternal: async (url) => {
      await browse(url);
      return true;
    },
    receive: (previous) => openLoopback({ previous }),
  });
}

function memoryStore(): McpSecretStore {
  const entries = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(entries.get(key)),
    store: (key, value) => Promise.resolve(void entries.set(key, value)),
    delete: (key) => Promise.resolve(void entries.delete(key)),
    keys: () => Promise.resolve([...entries.keys()]),
  };
}

async function browse(url: string): Promise<void> {
  const page = await new Promise<IncomingMessage>((done, fail) => {
    get(url, { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, agent: false }, done).on('error', fail);
  });
  page.resume();
  if (page.headers.location !== undefined) await browse(new URL(page.headers.location, url).href);
}
