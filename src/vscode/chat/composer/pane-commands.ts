import type { PictureScaler } from '../../../domain/workspace/picture.js';
import { type ConnectedServers, NO_SERVERS } from '../../../mcp/connected-servers.js';
import type { PromptCommand } from '../../../mcp/prompts/prompt-commands.js';
import type { FillForm, SlashOffer } from '../../../protocol/host/composer-messages.js';
import type { HostMessage } from '../../../protocol/messages.js';
import type { WindowSkills } from '../../skill/window-skills.js';
import type { ResolveOptions } from '../../mentions/mention-deps.js';
import { attachParts } from './attach-parts.js';
import { type SlashActions, builtInCommands } from './built-in.js';
import type { Draft } from './draft.js';
import { type Filled, FillForms } from './fill-forms.js';
import { qualifiedSkillCommand, type SkillActions, skillCommands } from './skill-commands.js';
import { findCommand, type SlashCommand, slashOffers } from './slash-command.js';

/** Dependencies of {@link PaneCommands}. */
export interface PaneCommandsDeps {
  readonly actions: SlashActions;
  readonly servers: ConnectedServers | undefined;
  /** What activates skills. Left out: there are none. */
  readonly skills?: (SkillActions & { readonly skills: Pick<WindowSkills, 'ready' | 'onDidChange'> }) | undefined;
  readonly pictures: PictureScaler;
  /** Posts to every page of the pane. */
  readonly post: (message: HostMessage) => void;
}

/** What a page shows next: a form for what is missing, the text of a prompt, or the mention of a resource. */
export type ShownFilled = { readonly type: 'form'; readonly form: FillForm } | { readonly type: 'text' | 'mention'; readonly text: string };

/** Where what comes with a prompt is attached. */
type PromptTarget = Pick<Draft, 'attachments' | 'attachmentsChanged'>;

/** The commands of one place: those that are built in, those that activate skills, and the prompts of MCP servers. Its pages know them all the time. */
export class PaneCommands {
  readonly forms: FillForms;
  private readonly deps: PaneCommandsDeps;
  private readonly builtIn: readonly SlashCommand[];
  private readonly stopListening: () => void;
  private readonly stopSkills: (() => void) | undefined;
  /** What pages were told last, as JSON. */
  private told = '';

  constructor(deps: PaneCommandsDeps) {
    const { actions, servers = NO_SERVERS } = deps;
    this.deps = deps;
    this.forms = new FillForms(servers);
    this.builtIn = builtInCommands(actions, () => this.offers);
    this.stopListening = servers.subscribe(({ type }) => {
      if (type === 'state' || type === 'removed') this.post();
    });
    this.stopSkills = deps.skills?.skills.onDidChange(() => this.post());
  }

  /** The command of a name without its slash. @throws Error that names others that come near. */
  find(name: string): SlashCommand | PromptCommand {
    const qualified = this.deps.skills && qualifiedSkillCommand(this.deps.skills, name);
    return findCommand([...this.own, ...this.forms.commands, ...(qualified === undefined ? [] : [qualified])], name);
  }

  /** Tells pages which commands there are, if they do not know. @param anew tells them in any case */
  post(anew = false): void {
    if (anew) void this.deps.skills?.skills.ready();
    const commands = this.offers;
    const told = JSON.stringify(commands);
    if (!anew && told === this.told) return;
    this.told = told;
    this.deps.post({ type: 'commands', commands });
  }

  /** Gets a prompt, or opens a form for its arguments. What comes with it is attached to the draft. @throws Error with a message for the user; AbortError */
  async run(command: PromptCommand, { draft, argument }: { readonly draft: PromptTarget; readonly argument: string }, options: Required<ResolveOptions>): Promise<ShownFilled> {
    return this.attach(draft, await this.forms.run(command, argument, options));
  }

  /** Uses what was filled into a form. @throws Error with a message for the user; AbortError when it was closed. */
  async submit(draft: PromptTarget, { form, values }: { readonly form: string; readonly values: readonly string[] }, progress: (text: string) => void): Promise<ShownFilled> {
    return this.attach(draft, await this.forms.submit(form, values, progress));
  }

  dispose(): void {
    this.stopListening();
    this.stopSkills?.();
    this.forms.close();
  }

  private get offers(): readonly SlashOffer[] {
    return [...slashOffers(this.own), ...this.forms.offers];
  }

  /** Built-in commands win over skills of the same name. */
  private get own(): readonly SlashCommand[] {
    const { skills } = this.deps;
    return skills === undefined ? this.builtIn : [...this.builtIn, ...skillCommands(skills, new Set(this.builtIn.map(({ name }) => name)))];
  }

  /** The text is for the page, since the user may have written on meanwhile. */
  private async attach(draft: PromptTarget, filled: Filled): Promise<ShownFilled> {
    if (filled.type !== 'prompt') return filled;
    const { text, attached, problems } = filled.draft;
    const failed = await attachParts(draft.attachments, { server: filled.server, parts: attached, pictures: this.deps.pictures });
    draft.attachmentsChanged();
    const all = [...problems, ...failed];
    if (all.length > 0) this.deps.post({ type: 'attachment_problem', reason: all.join('\n') });
    return { type: 'text', text };
  }
}
