import type { ChosenCommand } from '../../config/commands/choose-commands.js';
import { isFromRepository } from '../../domain/config/origin.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { ImageScaler } from '../../domain/workspace/image.js';
import type { ConnectedServers } from '../../mcp/connected-servers.js';
import type { PromptCommand } from '../../mcp/prompts/prompt-commands.js';
import { type ContentPart, originLine } from '../../mcp/resources/contents.js';
import type { FillForm, SlashOffer } from '../../protocol/host/composer-messages.js';
import type { HostMessage } from '../../protocol/messages.js';
import type { Skills } from '../../customization/skills.js';
import type { ResolveOptions } from '../../mentions/mention-deps.js';
import type { CommandFiles } from '../../customization/commands.js';
import { headOf, showName } from '../../text/show.js';
import type { Attachments } from './attachments.js';
import { builtInCommands, type SlashActions, type SlashCommand, slashOffers } from './built-in.js';
import type { Draft } from './draft.js';
import type { SlashMessage } from '../../slash/file-forms.js';
import { FillForms, type ServerFilled, type Submitted } from './fill-forms.js';
import type { Conversation } from '../conversation/conversation.js';
import type { MessageOptionsResolver } from '../../slash/message-options.js';
import type { SkillActions } from '../../slash/skill-commands.js';
import { SlashCommands } from '../../slash/slash-commands.js';

/** Sources of slash commands: built-in actions, prompts of servers, command files, and skills. */
export interface PaneCommandsDeps {
  readonly actions: SlashActions;
  readonly servers: ConnectedServers;
  /** The commands of files. */
  readonly files: Pick<CommandFiles, 'commands' | 'unusable' | 'read' | 'start' | 'onDidChange'>;
  /** Actions that activate skills. */
  readonly skills: SkillActions & { readonly skills: Pick<Skills, 'ready' | 'onDidChange'> };
  /** Resolver of turn options, and the session of the turns. Default: no turn options. */
  readonly turns?: { readonly messageOptions: MessageOptionsResolver; readonly session: () => Conversation['session'] };
  readonly imageScaler: ImageScaler;
  /** Posts to every page of the pane. */
  readonly post: (message: HostMessage) => void;
}

/** Next step on the page: a form for missing values, the text of a prompt, or the mention of a resource. */
export type ShownFilled = { readonly type: 'form'; readonly form: FillForm } | { readonly type: 'text' | 'mention'; readonly text: string };

/** Where what comes with a prompt is attached. */
type PromptTarget = Pick<Draft, 'attachments' | 'attachmentsChanged'>;

/** Characters of the name of something attached. */
const MAX_NAME = 200;

/** Attachments of a prompt. */
interface AttachedParts {
  /** Id of the server that it is from. */
  readonly server: string;
  readonly parts: readonly ContentPart[];
  readonly imageScaler: ImageScaler;
}

/** Attaches what a server sent along with a prompt, marked as data of the server. @returns why parts of it are not attached */
async function attachParts(attachments: Attachments, { server, parts, imageScaler }: AttachedParts): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const part of parts) {
    const name = headOf(`${server}: ${part.uri}`, MAX_NAME);
    try {
      if (part.type === 'text') attachments.addText(name, `${originLine(server, part.uri)}\n${part.text}`);
      else await attachments.addImage(part.uri === '' ? t('Image of {0}', server) : name, part.data, imageScaler);
    } catch (error) {
      failed.push(errorMessage(error));
    }
  }
  return failed;
}

/**
 * The commands of one place: those that are built in, those that activate skills, those of files, and the prompts of MCP servers. Its pages know them all the
 * time.
 */
export class PaneCommands {
  readonly forms: FillForms;
  /** All that a message can begin with. */
  readonly all: SlashCommands<SlashCommand>;
  private readonly stops: readonly (() => void)[];
  /** The last offers posted to the pages, as JSON, to skip equal ones. */
  private told = '';

  constructor(private readonly deps: PaneCommandsDeps) {
    const { actions, servers, files, skills } = deps;
    this.forms = new FillForms(servers, deps.turns);
    this.all = new SlashCommands(
      builtInCommands(actions, () => this.offers),
      { servers, files, skills },
    );
    const stopServers = servers.subscribe(({ type }) => {
      if (type === 'state' || type === 'removed') this.post();
    });
    this.stops = [stopServers, files.onDidChange(() => this.post()), skills.skills.onDidChange(() => this.post())];
  }

  /** Tells pages which commands there are, if they do not know. @param anew tells them in any case */
  post(anew = false): void {
    this.deps.files.start();
    if (anew) void this.deps.skills.skills.ready();
    const commands = this.offers;
    const told = JSON.stringify(commands);
    if (!anew && told === this.told) return;
    this.told = told;
    this.deps.post({ type: 'commands', commands });
  }

  /** Gets a prompt, or opens a form for its arguments. What comes with it is attached to the draft. @throws Error with a message for the user; AbortError */
  async run(
    command: PromptCommand,
    { draft, argument }: { readonly draft: PromptTarget; readonly argument: string },
    options: Required<ResolveOptions>,
  ): Promise<ShownFilled> {
    return this.attach(draft, await this.forms.run(command, argument, options));
  }

  /** Uses what was filled into a form. @throws Error with a message for the user; AbortError when it was closed. */
  async submit(draft: PromptTarget, submitted: Submitted, progress: (text: string) => void): Promise<ShownFilled | SlashMessage> {
    const filled = await this.forms.submit(submitted, progress);
    return filled.type === 'message' ? filled.message : this.attach(draft, filled);
  }

  dispose(): void {
    for (const stop of this.stops) stop();
    this.forms.close();
  }

  private get offers(): readonly SlashOffer[] {
    return [...slashOffers(this.all.own), ...this.all.ofFiles.map(fileOffer), ...this.forms.offers];
  }

  /** The text is for the page, since the user may have written on meanwhile. */
  private async attach(draft: PromptTarget, filled: ServerFilled): Promise<ShownFilled> {
    if (filled.type !== 'prompt') return filled;
    const { text, attached, problems } = filled.draft;
    const failed = await attachParts(draft.attachments, { server: filled.server, parts: attached, imageScaler: this.deps.imageScaler });
    draft.attachmentsChanged();
    const all = [...problems, ...failed];
    if (all.length > 0) this.deps.post({ type: 'attachment_problem', reason: all.join('\n') });
    return { type: 'text', text };
  }
}

/** Characters of a description and of a hint that are shown. */
const MAX_SHOWN = 300;

function fileOffer({ name, command: { description, argumentHint = '', origin } }: ChosenCommand): SlashOffer {
  return {
    name: `/${name}`,
    hint: showName(argumentHint.slice(0, MAX_SHOWN)),
    description: showName(description.slice(0, MAX_SHOWN)),
    origin: isFromRepository(origin) ? 'project' : 'user',
    file: showName(origin.display),
  };
}
