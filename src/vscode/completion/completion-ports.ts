import type { ModelRegistry } from '../models/model-registry.js';
import type { Showing } from '../permission/showing.js';

/** What suggestions need of the rest of the extension. */
export interface CompletionPorts extends Showing {
  readonly models: ModelRegistry;
}
