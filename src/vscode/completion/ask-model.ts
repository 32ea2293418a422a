import { askChat } from '../../completion/ask-chat.js';
import { askFim, fillsIn } from '../../completion/ask-fim.js';
import type { CompletionInput } from '../../completion/completion-input.js';
import { askNextEdit } from '../../completion/next-edit/ask-next-edit.js';
import type { NextEditInput } from '../../completion/next-edit/next-edit-input.js';
import type { Clock } from '../../domain/clock.js';
import { isDemo } from '../../domain/demo.js';
import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type SuggestionModel, type SuggestionModels, chooseModel } from './choose-model.js';
import { completionSettings } from './completion-settings.js';

/** Milliseconds for which the chosen model is cached, since keys can be added and removed. */
const FRESH_MS = 60_000;

/** Asks the model of the settings for suggestions. */
export class AskModel {
  private chosen: { readonly at: number; readonly model: SuggestionModel } | undefined;

  constructor(
    private readonly models: SuggestionModels,
    private readonly clock: Clock,
  ) {}

  /** Chooses anew with the next request. */
  forget(): void {
    this.chosen = undefined;
  }

  /**
   * Requests the suggestion of a model for a place.
   * @throws ProviderError, or AbortError when the signal fired; Error when the setting names no model.
   */
  async ask(input: CompletionInput, signal: AbortSignal): Promise<string> {
    const { fill, ...chosen } = await this.choose(signal);
    if (fill !== undefined && (await fillsIn(fill, chosen.model.id, signal))) return askFim(input, fill, chosen.model.id, signal);
    return askChat(input, { ...chosen, clock: this.clock }, signal);
  }

  /**
   * Requests the prediction of the next edit; `undefined` when the configured model is a fill-in-the-middle model, which cannot predict edits.
   * @throws as {@link ask}
   */
  async askNext(input: NextEditInput, signal: AbortSignal): Promise<string | undefined> {
    const { fill, ...chosen } = await this.choose(signal);
    if (fill !== undefined && (await fillsIn(fill, chosen.model.id, signal))) return undefined;
    return askNextEdit(input, { ...chosen, clock: this.clock }, signal);
  }

  private async choose(signal: AbortSignal): Promise<SuggestionModel> {
    const now = this.clock.monotonic();
    if (this.chosen !== undefined && now - this.chosen.at < FRESH_MS) return this.chosen.model;
    const model = await chooseModel(this.models, completionSettings.model(), signal);
    if (isDemo(model.model))
      throw new ProviderError(
        'no_key',
        t('The demo model does not support inline suggestions. Set an API key or choose another model for inline suggestions.'),
      );
    this.chosen = { at: now, model };
    return model;
  }
}
