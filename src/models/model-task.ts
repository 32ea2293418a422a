import type { Clock } from '../domain/clock.js';
import type { Log } from '../domain/log.js';
import type { Showing } from '../domain/workspace/showing.js';
import type { ModelRegistry } from './model-registry.js';

/** Services of a single model request with files of the workspace, outside of any conversation. */
export interface ModelTask extends Showing {
  readonly models: ModelRegistry;
  readonly clock: Clock;
  readonly log: Log;
}
