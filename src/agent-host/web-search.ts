import type { WebSearch } from '../domain/workspace/web-search.js';
import { createBraveSearch } from '../node/web/search/brave.js';
import { createSearxngSearch } from '../node/web/search/searxng.js';
import type { SearchChoice } from '../customization/user-settings.js';
import type { KeyOwner, Secrets } from '../models/keys/secrets.js';

/** Name of the Brave Search API key in secret storage. No model provider can have this name. The variable is that of Brave's own MCP server. */
export const BRAVE_KEY = { id: 'search:brave', keyVariable: 'BRAVE_API_KEY' } as const satisfies KeyOwner;

/** The web search service of this window, chosen by the settings and the API keys available. */
export class WindowSearch {
  private readonly brave: WebSearch;
  /** Looked up ahead: who searches is asked before every turn, which does not wait for the storage of keys. */
  private hasBraveKey = false;

  /** @param choice read again before every turn */
  constructor(
    secrets: Secrets,
    private readonly choice: () => SearchChoice,
  ) {
    this.brave = createBraveSearch({ apiKey: () => secrets.key(BRAVE_KEY) });
    const lookUp = async (): Promise<void> => {
      this.hasBraveKey = (await secrets.key(BRAVE_KEY)) !== undefined;
    };
    // Where keys cannot be read, requests to models say so.
    const look = (): void => void lookUp().catch(() => undefined);
    secrets.onDidChange((id) => {
      if (id === BRAVE_KEY.id) look();
    });
    look();
  }

  /** The active search service; `undefined` when there is none. @param own the search of the model's provider, where it has one */
  current(own: WebSearch | undefined): WebSearch | undefined {
    const { provider, searxngUrl } = this.choice();
    switch (provider) {
      case 'off':
        return undefined;
      case 'model':
        return own;
      case 'searxng':
        return createSearxngSearch({ url: searxngUrl });
      case 'brave':
        return this.brave;
      case 'auto':
        if (searxngUrl !== '') return createSearxngSearch({ url: searxngUrl });
        return this.hasBraveKey ? this.brave : own;
    }
  }
}
