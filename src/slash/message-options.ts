import { escapeHidden } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import type { ThinkingEffort } from '../domain/model/effort.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import type { TurnOptions } from '../engine/turn/turn-scope.js';
import { modelKey } from '../domain/model/model-key.js';
import { turnRulesIn } from '../permission/rules/turn-rules.js';
import type { FillForm } from '../protocol/host/composer-messages.js';
import type { Agents } from '../customization/agents.js';
import { wantedModel } from '../models/wanted-model.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { RegisteredHooks } from '../customization/hooks/hooks.js';
import type { TurnGrants } from '../consent/turn-grants.js';
import type { AgentSession } from '../engine/agent-session.js';

/** Turn options from the file of a command or skill, by the names written there. Stored with queued messages. */
export interface MessageOptions {
  readonly grant?: TurnGrant | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly effort?: ThinkingEffort | undefined;
}

/** The options of a turn, and sentences for the user about those that could not be resolved. */
export interface ResolvedOptions {
  readonly options: TurnOptions;
  readonly problems: readonly string[];
}

type Allows = Exclude<Exclude<FillForm['preview'], undefined>['allows'], undefined>;
type Session = Pick<AgentSession, 'model'>;

/** Services that message options refer to: models, agents, hooks, and rules granted for one turn. */
export interface MessageOptionsDeps {
  readonly grants: TurnGrants;
  readonly models: Pick<ModelRegistry, 'entries' | 'choose'>;
  readonly agents: Pick<Agents, 'named'>;
  readonly hooks: Pick<RegisteredHooks, 'countOf'>;
  readonly trusted: () => boolean;
}

/** Resolves the options that the files of commands and skills set for their turns. */
export class MessageOptionsResolver {
  constructor(private readonly deps: MessageOptionsDeps) {}

  /** Whether the options contain something that the user should see before the message is sent. */
  async hasNews({ grant, agent, model, effort }: MessageOptions): Promise<boolean> {
    if (agent !== undefined || model !== undefined || effort !== undefined) return true;
    return grant !== undefined && turnRulesIn(grant.rules).usable.length > 0 && this.deps.trusted() && !(await this.deps.grants.approved(grant));
  }

  /** For the form that shows a message before it is sent. @param file absolute path of the command or skill */
  async shown(wishes: MessageOptions, session: Session, file: string): Promise<{ readonly notes: readonly string[]; readonly allows?: Allows }> {
    const { grant } = wishes;
    const {
      options: { agent, model, choosesModel, effort },
      problems,
    } = await this.optionsFor(wishes, session);
    const { running, waiting } = await this.deps.hooks.countOf(file);
    const notes = [
      ...(agent === undefined ? [] : [t('This turn runs with the agent “{0}”.', escapeHidden(agent.name))]),
      ...(model === undefined ? [] : [t('This turn runs with the model {0}.', escapeHidden(model.model.label))]),
      ...(choosesModel === true ? [t('Auto chooses the model of this turn.')] : []),
      ...(effort === undefined ? [] : [t('This turn runs with the thinking effort “{0}”.', effort)]),
      ...(running === 0 ? [] : [t('Hooks of this file run in this chat from now on: {0}.', running)]),
      ...(waiting === 0 ? [] : [t('Hooks of this file wait for your approval and do not run: {0}. Review them with “Gnomon: Manage Hooks”.', waiting)]),
      ...problems,
    ];
    if (grant === undefined || !this.deps.trusted()) return { notes };
    const { usable, refused } = turnRulesIn(grant.rules);
    return { notes, allows: { rules: [...usable], refused: refused.map(({ why }) => why), state: await this.deps.grants.stateOf(grant) } };
  }

  /** Notes what the user decided about the rules that such a form shows. @throws Error where the workspace is not trusted */
  async decide({ grant }: MessageOptions, allow: boolean | undefined): Promise<void> {
    if (grant === undefined || allow === undefined) return;
    const state = await this.deps.grants.stateOf(grant);
    if (allow && (state === 'waits' || state === 'changed')) await this.deps.grants.approve(grant);
    if (!allow && state === 'approved') await this.deps.grants.revoke(grant);
  }

  /** Resolves the options of a turn that begins now. What is not available is left out, and named in the problems. Does not reject. */
  async optionsFor({ grant, agent: name, model: wish, effort }: MessageOptions, session: Session): Promise<ResolvedOptions> {
    const problems: string[] = [];
    const agent = name === undefined ? undefined : await this.deps.agents.named(name);
    if (name !== undefined && agent === undefined)
      problems.push(t('There is no agent “{0}”. The turn runs with that of the chat, if there is one.', escapeHidden(name)));
    const model = await this.modelFor(wish ?? agent?.model, session).catch(() => 'missing' as const);
    if (model === 'missing')
      problems.push(t('The model “{0}” is not available. The turn runs with that of the chat.', escapeHidden(wish ?? agent?.model ?? '')));
    const options = { ...(grant === undefined ? {} : { grants: [grant] }), agent, ...(model === 'missing' ? {} : model), effort: effort ?? agent?.effort };
    return { options, problems };
  }

  private async modelFor(wish: string | undefined, { model: current }: Session): Promise<Pick<TurnOptions, 'model' | 'choosesModel'> | 'missing'> {
    const wanted = wantedModel(wish, current, this.deps.models.entries());
    if (wanted.type === 'missing') return 'missing';
    if (wanted.type === 'auto') return { choosesModel: true };
    return wanted.type === 'inherit' || wanted.key === modelKey(current) ? {} : { model: await this.deps.models.choose(wanted.key) };
  }
}
