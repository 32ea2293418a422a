import { randomUUID } from 'node:crypto';
import { AbortError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpCompletionRef } from '../../domain/mcp/feature.js';
import type { ConnectedServers } from '../../mcp/connected-servers.js';
import { getPrompt, hintOf, missingIn, type PromptCommand, promptCommands, type PromptValues, typedValues } from '../../mcp/prompts/prompt-commands.js';
import { type PromptDraft, promptDraft } from '../../mcp/prompts/prompt-draft.js';
import { blanksOf, expandTemplate } from '../../mcp/resources/uri-template.js';
import type { FillForm, SlashOffer } from '../../protocol/host/composer-messages.js';
import { resourceMention } from '../../protocol/mention-syntax.js';
import { headOf, showName } from '../../text/show.js';
import { filePreview, inputForm, type PreviewedMessage, type SlashMessage, type WrittenFile } from '../../slash/file-forms.js';
import type { MessageOptionsResolver } from '../../slash/message-options.js';
import type { Conversation } from '../conversation/conversation.js';
import { progressText } from '../../mentions/resource-mentions.js';
import type { ResolveOptions } from '../../mentions/mention-deps.js';

/** Characters of a description of a server that are shown. */
const MAX_DESCRIPTION = 500;
const MAX_NAME = 200;
/** Suggestions for one field. */
const MAX_SUGGESTIONS = 50;

/** Result of a server's prompt or resource, once filled in. */
export type ServerFilled =
  /** The user fills in what is missing. */
  | { readonly type: 'form'; readonly form: FillForm }
  /** A prompt, for the user to send. */
  | { readonly type: 'prompt'; readonly server: string; readonly draft: PromptDraft }
  /** The mention of a resource, for the text. */
  | { readonly type: 'mention'; readonly text: string };

/** Result of any form: also the message of a command or skill, which the user has seen, to be sent. */
export type Filled = ServerFilled | { readonly type: 'message'; readonly message: SlashMessage };

/** Subject of a form: the prompt or the resource template of a server. */
type ServerSubject =
  | { readonly type: 'prompt'; readonly command: PromptCommand }
  | { readonly type: 'template'; readonly server: string; readonly uriTemplate: string };
/** The blanks of a command of a file; or a message, once there is nothing to fill in. */
type OwnSubject = { readonly type: 'file'; readonly written: WrittenFile } | { readonly type: 'message'; readonly message: SlashMessage };
type Subject = ServerSubject | OwnSubject;

/** Submitted values, with a callback for progress. */
export interface Submitted {
  readonly form: string;
  /** In the order of the fields. */
  readonly values: readonly string[];
  /** Whether what a command or skill names may run without a question; absent where the form does not ask. */
  readonly allow?: boolean | undefined;
}

interface OpenForm {
  readonly id: string;
  readonly subject: Subject;
  /** The names of its fields, in their order. */
  readonly names: readonly string[];
  /** Stops what the form waits for. */
  readonly closed: AbortController;
  /** Stops the suggestions that were asked for last. */
  suggesting: AbortController;
}

/**
 * The prompts of MCP servers as commands, and the form in which the blanks of one, or of the address of a resource, are filled in, or in
 * which a command of a file is seen before it is sent. One form is open at a time.
 */
export class FillForms {
  private open: OpenForm | undefined;

  /** @param turns knows what turns get of what their commands want; left out: nothing */
  constructor(
    private readonly servers: ConnectedServers,
    private readonly turns?: { readonly messageOptions: MessageOptionsResolver; readonly session: () => Conversation['session'] },
  ) {}

  /** The prompts of the servers that are connected now. */
  get commands(): readonly PromptCommand[] {
    return promptCommands(this.servers);
  }

  /** For pages. */
  get offers(): readonly SlashOffer[] {
    return this.commands.map(({ name, prompt }) => ({ name, hint: hintOf(prompt), description: descriptionOf(prompt), prompt: true }));
  }

  /**
   * Gets the prompt of a command as it was written, or opens a form where arguments are missing.
   * @throws Error with a message for the user; AbortError
   */
  async run(command: PromptCommand, typed: string, options: Required<ResolveOptions>): Promise<ServerFilled> {
    const values = typedValues(command.prompt, typed);
    const asks = typed === '' ? command.prompt.arguments.length > 0 : missingIn(command.prompt, values).length > 0;
    return asks ? { type: 'form', form: this.formOf(command, values) } : this.prompt(command, values, options);
  }

  /** Opens the form for the blanks of a command of a file, or the one that shows what is sent. @throws Error with a message for the user */
  async file(written: WrittenFile): Promise<FillForm> {
    const form = inputForm(written);
    if (form === undefined) return this.preview(filePreview(written, {}));
    return {
      ...form,
      ...this.show(
        { type: 'file', written },
        form.fields.map(({ name }) => name),
      ),
    };
  }

  /** Opens the form that shows what is sent, and what its turn gets. */
  async preview({ message, file, form }: PreviewedMessage): Promise<FillForm> {
    const { preview } = form;
    const shown = preview === undefined ? undefined : await this.turns?.messageOptions.shown(message.turn, this.turns.session(), file);
    return {
      ...form,
      ...(preview === undefined || shown === undefined ? {} : { preview: { ...preview, ...shown } }),
      ...this.show({ type: 'message', message }, []),
    };
  }

  /** Opens the form for an address with blanks. @throws Error when it is not offered any more. */
  template(server: string, uriTemplate: string): FillForm {
    const template = this.servers.state(server)?.templates.find((each) => each.uriTemplate === uriTemplate);
    if (template === undefined) throw new Error(t('The MCP server “{0}” does not offer this resource any more.', server));
    const blanks = blanksOf(uriTemplate);
    const form = this.show(
      { type: 'template', server, uriTemplate },
      blanks.map(({ name }) => name),
    );
    return {
      ...form,
      server,
      makes: 'resource',
      title: line(template.title ?? template.name),
      ...described(template.description ?? uriTemplate),
      fields: blanks.map(({ name, required }) => ({ name, required, value: '' })),
    };
  }

  /** Suggestions for a field of the form; `undefined` when later ones were asked for, or it is closed. Never rejects for a failure of the server. */
  async suggestions(id: string, field: number, values: readonly string[]): Promise<readonly string[] | undefined> {
    const form = this.formWith(id);
    const name = form?.names[field];
    if (form === undefined || name === undefined) return undefined;
    form.suggesting.abort();
    form.suggesting = new AbortController();
    const signal = AbortSignal.any([form.closed.signal, form.suggesting.signal]);
    if (form.subject.type === 'file' || form.subject.type === 'message') return [];
    const { server, ref } = completionOf(form.subject);
    const others = Object.fromEntries(Object.entries(valuesOf(form, values)).filter(([other]) => other !== name));
    const blank = { name, value: values[field] ?? '' };
    try {
      const found = await this.servers.use(server, (connection) => connection.complete(ref, blank, others, signal), signal);
      return signal.aborted ? undefined : found.slice(0, MAX_SUGGESTIONS);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof McpError)) throw error;
      // The value can be written all the same. Why the server suggests nothing, its inspector shows.
      return [];
    }
  }

  /** Uses what was filled in. The form stays open when that fails. @throws Error with a message for the user; AbortError when it was closed. */
  async submit({ form: id, values, allow }: Submitted, progress: (text: string) => void): Promise<Filled> {
    const form = this.formWith(id);
    if (form === undefined) throw new AbortError();
    const { subject, closed } = form;
    if (subject.type === 'message') {
      await this.turns?.messageOptions.decide(subject.message.turn, allow);
      // Pressing twice must not send it twice.
      closed.signal.throwIfAborted();
      this.close(id);
      return { type: 'message', message: subject.message };
    }
    const given = valuesOf(form, values);
    // Another form takes the place of this one.
    if (subject.type === 'file') return { type: 'form', form: await this.preview(filePreview(subject.written, given)) };
    const filled = subject.type === 'prompt' ? await this.prompt(subject.command, given, { signal: closed.signal, progress }) : mentionOf(subject, given);
    closed.signal.throwIfAborted();
    this.close(id);
    return filled;
  }

  /** Closes a form, and stops what it waits for. @param id of one; absent: whichever is open */
  close(id?: string): void {
    if (id !== undefined && this.open?.id !== id) return;
    this.open?.closed.abort();
    this.open = undefined;
  }

  private async prompt(command: PromptCommand, values: PromptValues, { signal, progress }: Required<ResolveOptions>): Promise<ServerFilled> {
    const { server } = command;
    const missing = missingIn(command.prompt, values);
    if (missing.length > 0) throw new Error(t('Fill in: {0}', missing.map((name) => line(name)).join(', ')));
    progress(t('Reading {0}…', command.name));
    const messages = await getPrompt(this.servers, command, values, { signal, progress: (news) => progress(progressText(command.name, news)) });
    return { type: 'prompt', server, draft: promptDraft(messages, (uri) => resourceMention({ server, uri })) };
  }

  private formOf(command: PromptCommand, values: PromptValues): FillForm {
    const { server, prompt } = command;
    const form = this.show(
      { type: 'prompt', command },
      prompt.arguments.map(({ name }) => name),
    );
    const fields = prompt.arguments.map(({ name, description, required }) => ({
      name,
      required,
      ...described(description),
      value: Object.hasOwn(values, name) ? (values[name] ?? '') : '',
    }));
    return { ...form, server, makes: 'prompt', title: line(prompt.title ?? prompt.name), ...described(prompt.description), fields };
  }

  private show(subject: Subject, names: readonly string[]): Pick<FillForm, 'id' | 'suggests'> {
    this.close();
    const id = randomUUID();
    this.open = { id, subject, names, closed: new AbortController(), suggesting: new AbortController() };
    return {
      id,
      suggests:
        subject.type !== 'file' && subject.type !== 'message' && this.servers.state(completionOf(subject).server)?.agreement?.capabilities.completions === true,
    };
  }

  private formWith(id: string): OpenForm | undefined {
    return this.open?.id === id ? this.open : undefined;
  }
}

function completionOf(subject: ServerSubject): { readonly server: string; readonly ref: McpCompletionRef } {
  if (subject.type === 'template') return { server: subject.server, ref: { type: 'template', uriTemplate: subject.uriTemplate } };
  return { server: subject.command.server, ref: { type: 'prompt', name: subject.command.prompt.name } };
}

/** Values by name. Empty ones count as left out. */
function valuesOf({ names }: OpenForm, values: readonly string[]): PromptValues {
  return Object.fromEntries(names.flatMap((name, index) => (values[index] === undefined || values[index].trim() === '' ? [] : [[name, values[index]]])));
}

function mentionOf({ server, uriTemplate }: Extract<Subject, { type: 'template' }>, values: PromptValues): ServerFilled {
  const missing = blanksOf(uriTemplate).filter(({ name, required }) => required && !Object.hasOwn(values, name));
  if (missing.length > 0) throw new Error(t('Fill in: {0}', missing.map(({ name }) => line(name)).join(', ')));
  const text = resourceMention({ server, uri: expandTemplate(uriTemplate, values) });
  if (text === undefined) throw new Error(t('The address of the resource is too long to be mentioned.'));
  return { type: 'mention', text };
}

function descriptionOf({ title, description }: PromptCommand['prompt']): string {
  return line([title, description].filter((each) => each !== undefined && each.trim() !== '').join(' · '), MAX_DESCRIPTION);
}

function described(description: string | undefined): { readonly description?: string } {
  return description === undefined || description.trim() === '' ? {} : { description: line(description.trim(), MAX_DESCRIPTION) };
}

/** On one line, not too long, with nothing hidden in it. */
function line(text: string, limit = MAX_NAME): string {
  const flat = text.replace(/\s*\n\s*/g, ' ');
  const cut = headOf(flat, limit);
  return showName(cut) + (cut.length < flat.length ? '…' : '');
}
