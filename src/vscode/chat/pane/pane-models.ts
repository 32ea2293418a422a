import { modelKey } from '../../../engine/model-key.js';
import type { HostMessage } from '../../../protocol/messages.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import { effortChoices, modeChoices, modelChoices } from './choices.js';
import type { Conversation } from '../conversation/conversation.js';

/** Dependencies of {@link PaneModels}. */
export interface PaneModelsDeps {
  readonly models: ModelRegistry;
  /** The conversation that the pane shows. */
  readonly current: () => Conversation;
  readonly post: (message: HostMessage) => void;
  readonly report: (error: unknown) => void;
}

/** Which models the conversation of a place can use, and which one it does. */
export class PaneModels {
  /** Ends following the lists of models. */
  readonly stop: () => void;
  private readonly deps: PaneModelsDeps;

  constructor(deps: PaneModelsDeps) {
    this.deps = deps;
    this.stop = deps.models.onDidChange(() => this.changed());
  }

  /** Uses another model in the conversation and tells the pages what there is. */
  async choose(key: string): Promise<void> {
    const { provider, model } = await this.deps.models.choose(key);
    this.deps.current().setModel(provider, model);
    this.postChoices();
  }

  /** Puts a model before the others in every list, or back among them. */
  prefer(key: string, on: boolean): void {
    this.deps.models.prefer(key, on);
  }

  /** Tells the pages which models and modes there are, and has lists that are old asked for: they follow on their own. */
  postChoices(): void {
    const { models, current, post, report } = this.deps;
    const { session } = current();
    const efforts = effortChoices(session.model);
    post({ type: 'choices', models: modelChoices(models.entries(), session.model, models), modes: modeChoices(), efforts });
    models.refresh().catch(report);
  }

  /** Notifies the user of a model that was chosen automatically. */
  tellOfChoice(conversation: Conversation): void {
    const news = this.deps.models.news(modelKey(conversation.session.model));
    if (news !== undefined) conversation.notify({ level: 'info', text: news, actions: ['select_model'] });
  }

  /** Applies what a list reports about the current model from the next round on. */
  private changed(): void {
    const { models, current, report } = this.deps;
    const conversation = current();
    const { session } = conversation;
    const better = session.messages.length > 0 ? undefined : models.improved(modelKey(session.model));
    if (better !== undefined) {
      this.adopt(better).catch(report);
      return;
    }
    const known = models.entries().flatMap((entry) => entry.models.map((model) => ({ provider: entry.source.provider, model })));
    const now = known.find(({ model }) => modelKey(model) === modelKey(session.model));
    this.tellOfChoice(conversation);
    if (now !== undefined && JSON.stringify(now.model) !== JSON.stringify(session.model)) conversation.setModel(now.provider, now.model);
    this.postChoices();
  }

  /** Uses a model that was found after the empty conversation had been opened without it, and says so. */
  private async adopt(name: string): Promise<void> {
    await this.choose(name);
    this.tellOfChoice(this.deps.current());
  }
}
