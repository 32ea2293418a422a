import type { ChosenAgent } from '../../config/agents/choose.js';
import type { AgentFile } from '../../domain/config/agent.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { modelKey } from '../../domain/model/model-key.js';
import { AUTO, type ModelChoice } from '../../domain/model/model-choice.js';
import type { Choice } from '../../protocol/host/composer-messages.js';
import type { ModelExplanation } from '../../protocol/host/transcript-messages.js';
import type { HostMessage } from '../../protocol/messages.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import { t } from '../../domain/l10n.js';
import type { Agents } from '../../customization/agents.js';
import type { BypassConfirmation } from '../../consent/bypass-confirmation.js';
import { wantedModel } from '../../models/wanted-model.js';
import { automaticChoices, effortChoices, modeChoices, modelChoices } from './choices.js';
import type { Conversation } from '../conversation/conversation.js';

/** Services of the model and agent menus of one pane, and the conversation that they apply to. */
export interface PaneModelsDeps {
  readonly models: ModelRegistry;
  readonly agents: Agents;
  /** Whether the mode that bypasses permissions can be chosen. */
  readonly bypass: Pick<BypassConfirmation, 'disabledBy' | 'onDidChange'>;
  /** The conversation that the pane shows. */
  readonly current: () => Conversation;
  readonly post: (message: HostMessage) => void;
  readonly report: (error: unknown) => void;
}

/** Characters of a description that the menu shows. */
const MAX_DESCRIPTION = 160;

/** The agents that are offered, by name, with what each does and limits, and its file. */
function agentChoices(agents: readonly ChosenAgent[]): readonly Choice[] {
  return agents
    .filter(({ agent }) => agent.userInvocable)
    .map(({ name, agent }) => ({
      id: name,
      label: escapeHidden(name),
      description: [shortened(escapeHidden(agent.description)), ...limitsOf(agent), escapeHidden(agent.origin.display)]
        .filter((part) => part !== '')
        .join(' · '),
    }));
}

/** Notice about the changes that come with a newly chosen agent. */
function agentWords(agent: AgentFile): string {
  return [t('The agent “{0}” works from your next message on.', escapeHidden(agent.name)), ...limitsOf(agent).map((limit) => `${limit}.`)].join(' ');
}

function limitsOf(agent: AgentFile): readonly string[] {
  const mode = modeChoices().find(({ id }) => id === agent.permissionMode)?.label;
  return [
    ...(agent.allowedTools.includes('*')
      ? agent.disallowedTools.length === 0
        ? []
        : [t('Without {0}', agent.disallowedTools.join(', '))]
      : [agent.allowedTools.length === 0 ? t('No tools') : t('Tools: {0}', agent.allowedTools.join(', '))]),
    ...(mode === undefined ? [] : [t('At most: {0}', mode)]),
    ...(agent.deniesPrompts === true ? [t('Never asks')] : []),
    ...(agent.skills.length === 0 ? [] : [t('Skills: {0}', escapeHidden(agent.skills.join(', ')))]),
    ...(agent.maxTurns === undefined ? [] : [t('At most {0} requests per message', agent.maxTurns)]),
  ];
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;
}

/** The model and agent menus of one pane: the choices, and the current ones. */
export class PaneModels {
  /** Ends following the lists of models. */
  readonly stop: () => void;
  /** The models that agents replaced, to return to when the user chooses none. */
  private readonly replaced = new WeakMap<Conversation, { readonly before: ModelChoice; readonly model: string; readonly wanted: string }>();

  /** Basis of the choices last posted to the pages; `undefined` for none. */
  private toldFor: string | undefined;

  constructor(private readonly deps: PaneModelsDeps) {
    const stops = [
      deps.models.onDidChange(() => this.changed()),
      deps.agents.onDidChange(() => this.postChoices()),
      deps.bypass.onDidChange(() => this.keepUp()),
    ];
    this.stop = () => stops.forEach((stop) => stop());
  }

  /** Uses another model in the conversation and tells the pages what there is. */
  async choose(key: string): Promise<void> {
    await this.useModel(this.deps.current(), key);
  }

  /** Uses the model that new chats would have if the workspace chose none. */
  async chooseOwn(): Promise<void> {
    await this.choose(await this.deps.models.own());
  }

  /** The agents that there are. */
  async agents(): Promise<readonly Choice[]> {
    await this.deps.agents.ready();
    return agentChoices(this.deps.agents.agents);
  }

  /** Chooses the agent of the conversation, with the model that it requests; empty for no agent. @throws Error when there is no agent of that name */
  async chooseAgent(name: string): Promise<void> {
    const { agents, models, current } = this.deps;
    const conversation = current();
    const agent = name === '' ? undefined : await agents.named(name);
    if (name !== '' && agent === undefined) throw new Error(t('There is no agent “{0}”.', name));
    conversation.setAgent(agent);
    const { choice } = conversation.session.auto;
    const before = modelKey(conversation.session.model);
    const earlier = this.replaced.get(conversation);
    this.replaced.delete(conversation);
    // What the agent had, unless the user has chosen another one since.
    const kept = choice.type === 'auto' ? AUTO : before;
    if (agent === undefined) return earlier?.wanted === kept ? this.giveBack(conversation, earlier) : undefined;
    if (agent.effort !== undefined) conversation.setEffort(agent.effort);
    const wanted = wantedModel(agent.model, conversation.session.model, models.entries());
    conversation.notify({ level: 'info', text: agentWords(agent), actions: [] });
    if (wanted.type === 'missing')
      conversation.notify({
        level: 'warning',
        text: t('The agent asks for the model “{0}”, which is not available. The chat keeps its model.', wanted.wanted),
        actions: ['select_model'],
      });
    const key = wanted.type === 'model' ? wanted.key : wanted.type === 'auto' ? AUTO : kept;
    if (key === kept) return;
    await this.useModel(conversation, key);
    this.replaced.set(conversation, { before: choice, model: before, wanted: key });
  }

  /** Explains how the model of an answer was chosen; `undefined` where that is not known. */
  async explain(item: string): Promise<ModelExplanation | undefined> {
    const [{ readRouting }, { explainRouting }] = await Promise.all([import('../../routing/read-decision.js'), import('../projection/model-explanation.js')]);
    const routing = readRouting(this.deps.current().routingOf(item));
    return routing && explainRouting(routing, (key) => this.deps.models.labelsOf(key).model);
  }

  /** Puts a model before the others in every list, or back among them. */
  prefer(key: string, on: boolean): void {
    this.deps.models.prefer(key, on);
  }

  /** Tells the pages which models and modes there are, and has lists that are old asked for: they follow on their own. */
  postChoices(): void {
    const { models, agents, bypass, current, post, report } = this.deps;
    const { session } = current();
    this.toldFor = this.basis;
    const efforts = effortChoices(session.model);
    post({
      type: 'choices',
      models: modelChoices(models.entries(), session.model, models),
      automatic: automaticChoices(),
      modes: modeChoices(bypass.disabledBy()),
      agents: agentChoices(agents.agents),
      efforts,
    });
    agents.ready().catch(report);
    models.refresh().catch(report);
  }

  /** Tells the pages anew where there are other choices than they know of, be it that settings changed or another conversation is shown. */
  keepUp(): void {
    if (this.toldFor !== undefined && this.toldFor !== this.basis) this.postChoices();
  }

  /** Comparison key of everything that the choices depend on. */
  private get basis(): string {
    return JSON.stringify([modelKey(this.deps.current().session.model), this.deps.bypass.disabledBy()]);
  }

  /** Notifies the user of a model that was chosen automatically. */
  tellOfChoice(conversation: Conversation): void {
    const news = this.deps.models.news(modelKey(conversation.session.model));
    if (news !== undefined)
      conversation.notify({ level: 'info', text: news.text, actions: [...(news.ofRepository === true ? (['use_own_model'] as const) : []), 'select_model'] });
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
    // A turn that has another one keeps it.
    if (now !== undefined && modelKey(session.model) === session.auto.key && JSON.stringify(now.model) !== JSON.stringify(session.model))
      conversation.setModel(now.provider, now.model, session.auto.choice);
    this.postChoices();
  }

  private async useModel(conversation: Conversation, key: string): Promise<void> {
    const { provider, model, choice } = await this.deps.models.chooseFor(conversation.session, key);
    conversation.setModel(provider, model, choice);
    this.postChoices();
  }

  /** Uses a model in place of another one, with the same choice: after an agent that had one of its own, or where a better one has become known. */
  private async giveBack(conversation: Conversation, { before, model: name }: { readonly before: ModelChoice; readonly model: string }): Promise<void> {
    const { provider, model } = await this.deps.models.choose(name);
    conversation.setModel(provider, model, before);
    this.postChoices();
  }

  /** Uses a model that was found after the empty conversation had been opened without it, and says so. */
  private async adopt(name: string): Promise<void> {
    const conversation = this.deps.current();
    await this.giveBack(conversation, { before: conversation.session.auto.choice, model: name });
    this.tellOfChoice(conversation);
  }
}
