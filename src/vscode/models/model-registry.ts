import type { ModelInfo, Provider } from '../../domain/provider.js';
import { anthropicModelInfo, anthropicModels, DEFAULT_MODEL } from '../../provider/anthropic/models.js';
import { createAnthropicProvider } from '../../provider/anthropic/provider.js';
import { createDemoProvider, demoModel } from '../../provider/demo/provider.js';
import type { Secrets } from '../settings/secrets.js';
import { settings } from '../settings/settings.js';

/** The models there are and what runs each. */
export class ModelRegistry {
  private readonly secrets: Secrets;
  private readonly providers: Readonly<Record<string, Provider>>;

  constructor(secrets: Secrets) {
    this.secrets = secrets;
    this.providers = {
      anthropic: createAnthropicProvider({ apiKey: () => secrets.anthropicKey(), baseUrl: settings.anthropicBaseUrl }),
      demo: createDemoProvider(),
    };
  }

  /** Every model that can be selected. */
  list(): Promise<readonly ModelInfo[]> {
    return Promise.resolve([...anthropicModels, demoModel]);
  }

  /**
   * A model by its name `provider/model`; without a name the one for new sessions: the setting, else the default
   * Anthropic model when there is a key, else the demo. Model ids of Anthropic that are not listed are taken as they are.
   * @throws Error for a name that no provider has.
   */
  async choose(key: string | undefined): Promise<{ readonly provider: Provider; readonly model: ModelInfo }> {
    const name = key ?? (settings.model() || (await this.preferred()));
    const slash = name.indexOf('/');
    const providerName = name.slice(0, slash);
    const provider = this.providers[providerName];
    const id = name.slice(slash + 1);
    if (slash < 1 || provider === undefined || id === '') {
      throw new Error(`There is no model “${name}”. Write it as provider/model, such as anthropic/${DEFAULT_MODEL}.`);
    }
    return { provider, model: providerName === 'demo' ? demoModel : anthropicModelInfo(id) };
  }

  private async preferred(): Promise<string> {
    const key = await this.secrets.anthropicKey();
    return key === undefined ? `demo/${demoModel.id}` : `anthropic/${DEFAULT_MODEL}`;
  }
}
