import type { Clock } from '../domain/clock.js';
import { isDemo } from '../domain/demo.js';
import type { Log } from '../domain/log.js';
import type { Router, SideWork, WorkModel } from '../domain/model/router.js';
import type { Showing } from '../domain/workspace/showing.js';
import type { ModelRegistry } from './model-registry.js';

/** What chooses the model of work that belongs to no chat. */
export interface WorkModels {
  readonly models: Pick<ModelRegistry, 'choose'>;
  readonly router: Pick<Router, 'forWork'>;
}

/** Services of a single model request with files of the workspace, outside of any conversation. */
export interface ModelTask extends Showing, WorkModels {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The model for work that belongs to no chat: that of new chats, or one that is good enough for it where Auto chooses those.
 * @throws Error where the settings name no model that there is
 */
export async function modelForWork(
  work: SideWork,
  { models, router }: WorkModels,
  signal: AbortSignal,
): Promise<Pick<WorkModel, 'provider' | 'model'> & Partial<Pick<WorkModel, 'reason'>>> {
  const own = await models.choose(undefined);
  // Users of the demo are asked for a key instead.
  return own.choice.type === 'auto' && !isDemo(own.model) ? router.forWork(work, own, signal) : { provider: own.provider, model: own.model };
}
