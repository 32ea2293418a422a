import type { ModelInfo } from './provider.js';

/** The name of a model in sessions: `provider/model`. */
export function modelKey(model: Pick<ModelInfo, 'provider' | 'id'>): string {
  return `${model.provider}/${model.id}`;
}
