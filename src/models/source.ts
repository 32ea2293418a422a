import type { FillProvider } from '../domain/model/fill.js';
import type { ModelInfo, Provider } from '../domain/model/provider.js';
import type { KeyOwner } from './keys/secrets.js';

/** Name of the provider of the models that the editor offers, also the first half of their names. */
export const EDITOR_MODELS = 'vscode-lm';

/** A backend that models come from, as the registry sees it. */
export interface ModelSource {
  /** Name of the provider, the first half of its models' names. */
  readonly id: string;
  /** Display name. */
  readonly label: string;
  readonly provider: Provider;
  /** Fill-in-the-middle provider; absent for none. */
  readonly fill?: FillProvider;
  /** Owner of its API key; absent for a source without keys. */
  readonly key?: KeyOwner;
  /** Whether it charges for tokens, so that a price that is not known is said. */
  readonly charges?: boolean;
  /** Where a key is got, for the prompt that asks for one. */
  readonly keyHelp?: string;
  /** The model for new sessions; absent where only the list has the default. */
  readonly defaultModel?: string;
  /** Whether its server is on this machine, by its address now; absent where it never is. */
  readonly isOnThisMachine?: () => boolean;
  /** Models to show until the list has arrived, or if it fails. */
  readonly fallback?: readonly ModelInfo[];
  /** Whether it can be used: its key is there, or something answers at the place of a local server. */
  isSetUp(signal: AbortSignal): Promise<boolean>;
  /** The models it has now. @throws ProviderError when it cannot be asked. */
  list(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** Default info about a model that is not in the list: the server decides whether it exists. */
  info(id: string): ModelInfo;
}
