import type { ModelInfo } from '../../domain/model/provider.js';
import { modelKey } from '../../domain/model/model-key.js';

/** Detected sizes of a model's context window, in tokens. */
interface Found {
  /** Size that the server reports. */
  served?: number;
  /** Whether that replaces what was known before, because that came from the server, too, or nothing was known. */
  follows?: boolean;
  /** Tokens of a longer request that the server actually read. */
  cut?: number;
}

/** The context windows that models turned out to have, whatever was known of them before. */
export class FoundWindows {
  private readonly found = new Map<string, Found>();

  /** The model with the window that it really has. */
  applied(model: ModelInfo): ModelInfo {
    const { served, follows, cut } = this.of(model);
    const known = follows === true ? [served, cut] : [model.contextWindow, served, cut];
    const sizes = known.filter((size) => size !== undefined && size > 0) as number[];
    const isFound = served !== undefined || cut !== undefined;
    return sizes.length === 0 ? model : { ...model, contextWindow: Math.min(...sizes), ...(isFound ? { windowAssumed: false } : {}) };
  }

  /** Takes the window that the server says a model has. Another one than before means that it was loaded anew. */
  served(model: ModelInfo, served: number): void {
    const found = this.of(model);
    if (found.served !== undefined && found.served !== served) delete found.cut;
    found.follows ??= model.contextWindow === 0 || model.contextWindow === served;
    found.served = served;
  }

  /** Takes that the server read only so much of a longer request. @returns whether that is news */
  cut(model: ModelInfo, tokens: number): boolean {
    const found = this.of(model);
    const isNews = found.cut === undefined;
    found.cut = tokens;
    return isNews;
  }

  private of(model: ModelInfo): Found {
    const known = this.found.get(modelKey(model));
    if (known !== undefined) return known;
    const found: Found = {};
    this.found.set(modelKey(model), found);
    return found;
  }
}
