import { basename, dirname } from 'node:path';
import { isFromRepository } from '../domain/config/origin.js';
import { AbortError } from '../domain/errors.js';
import type { UserContent } from '../domain/model/content.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import type { TurnOptions } from '../engine/turn/turn-scope.js';
import { getPrompt, missingIn, type PromptCommand, typedValues } from '../mcp/prompts/prompt-commands.js';
import { promptDraft } from '../mcp/prompts/prompt-draft.js';
import type { MentionDeps } from '../mentions/mention-deps.js';
import { resolveMentions } from '../mentions/resolve.js';
import { blocksOfPart, ResourceMentions } from '../mentions/resource-mentions.js';
import { resourceMention } from '../protocol/mention-syntax.js';
import { filePreview, inputForm, type SlashMessage } from '../slash/file-forms.js';
import { MessageOptionsResolver } from '../slash/message-options.js';
import { type FileCommand, SlashCommands } from '../slash/slash-commands.js';
import { parseSlash } from '../slash/written-command.js';
import { showName } from '../text/show.js';
import { BUILT_IN, type BuiltIn, INSTEAD } from './offered-commands.js';
import { type Asked, type PromptParts, withData, wordsWithData, type Written } from './prompt-text.js';

/** Milliseconds that servers are waited for whose prompt is the command. */
const SERVERS_MS = 10_000;

/** What a text asks for that may begin with a command, or mention something. @throws as `askedFor` says */
export async function expanded(written: Written, parts: PromptParts): Promise<Asked> {
  return new Expansion(written, parts).asked();
}

/** Looks up one text. */
class Expansion {
  private readonly messageOptions: MessageOptionsResolver;
  private readonly commands: SlashCommands<BuiltIn>;
  private readonly mentions: MentionDeps;

  constructor(
    private readonly written: Written,
    private readonly parts: PromptParts,
  ) {
    const { host, documents, session } = parts;
    const { permissions, models, agents, skills, commandFiles, servers, ground } = host;
    const { trusted } = permissions.trust;
    this.messageOptions = new MessageOptionsResolver({ grants: permissions.grants, models, agents, hooks: host.hooks.registered, trusted });
    this.commands = new SlashCommands(BUILT_IN, {
      servers: servers.shared,
      files: commandFiles,
      skills: { skills, session: () => session, turns: this.messageOptions },
    });
    this.mentions = {
      workspace: ground.workspace,
      documents,
      readGuard: () => ground.readGuard(session.id),
      resources: new ResourceMentions(servers.shared),
      // No editor knows of symbols, problems, open files, and terminals here.
      symbols: { search: () => Promise.resolve([]) },
      diagnostics: { current: () => [] },
      editors: () => [],
      terminal: () => Promise.resolve(undefined),
      trusted,
    };
  }

  async asked(): Promise<Asked> {
    const { words, mentioning = words, attached = [], data } = this.written;
    await this.ready(words.startsWith('/') ? words : mentioning);
    const command = parseSlash(words, (name) => this.commands.isKnown(name));
    if (command === undefined) return this.message(withData([...(await this.mentioned(mentioning)), ...attached], words, data));
    const { name } = command;
    const argument = wordsWithData(command.argument, data);
    const found = await this.command(name);
    switch (found.kind) {
      case 'built_in':
        return this.builtIn(found.name, argument);
      case 'prompt':
        return this.prompt(found, argument);
      case 'file':
        return this.file(found, argument);
      case 'skill': {
        const { message } = await found.activate(argument);
        return this.message(withData([...(await this.mentioned('')), ...attached, ...message.blocks], message.typed, undefined), message);
      }
    }
  }

  /** Reads files, and waits for servers, where a text could name one of them. */
  private async ready(words: string): Promise<void> {
    const { host, signal } = this.parts;
    if (words.startsWith('/')) await Promise.all([host.commandFiles.read(), host.skills.ready()]);
    if (!/^\/[^\s:]+:|@[^\s:]+:/u.test(words)) return;
    await host.servers.offered.started(SERVERS_MS, signal);
    await host.servers.all.listed(SERVERS_MS, signal);
    if (signal.aborted) throw new AbortError();
  }

  /** @throws Error also for a skill that only trust is missing for: of it, no more is looked at than where it is */
  private async command(name: string): Promise<ReturnType<Expansion['commands']['find']>> {
    try {
      return this.commands.find(name);
    } catch (error) {
      const waiting = (await this.parts.host.skills.waiting()).find(({ origin }) => basename(dirname(origin.file)).toLowerCase() === name);
      if (waiting === undefined) throw error;
      const where = showName(waiting.origin.display);
      throw new Error(`This folder is not trusted, so its skill /${name} (${where}) is not used. If you trust it, add --trust-project.`, { cause: error });
    }
  }

  private builtIn(name: string, argument: string): Asked {
    const instead = INSTEAD[name];
    if (instead === undefined) return { kind: 'compact', keep: argument };
    throw new Error(`${name} is a command of the chat in VS Code. ${instead} To send this as a message, put a space in front of it.`);
  }

  private async file({ name, chosen }: FileCommand, argument: string): Promise<Asked> {
    const { host, session } = this.parts;
    const folders = host.ground.workspace.folders().map(({ path }) => path);
    const written = { chosen, argument, place: { sessionId: session.id, folders }, grant: host.commandFiles.grantOf(chosen.command) };
    const missing = inputForm(written)?.fields.filter(({ value }) => value === '') ?? [];
    if (missing.length > 0) throw new Error(`${name} needs values behind it, in this order: ${missing.map((field) => field.name).join(', ')}.`);
    const { message } = filePreview(written, {});
    const { expanded: own, blocks } = message;
    const mentioned = await this.mentioned(own?.mentioning ?? '');
    return this.message([...blocks, ...mentioned, ...(this.written.attached ?? [])], message, own === undefined ? {} : { script: own.script });
  }

  private async prompt(command: PromptCommand, typed: string): Promise<Asked> {
    const { host, signal } = this.parts;
    const { name, server, prompt } = command;
    const values = typedValues(prompt, typed);
    const missing = missingIn(prompt, values);
    if (missing.length > 0) throw new Error(`${name} needs values behind it: ${missing.join(', ')}.`);
    const messages = await getPrompt(host.servers.shared, command, values, { signal });
    const { text: words, attached, problems } = promptDraft(messages, (uri) => resourceMention({ server, uri }));
    const blocks = await Promise.all(attached.map((part) => blocksOfPart(part, { server, name: `${server}: ${part.uri}`, signal })));
    const content = [...(await this.mentioned(words)), ...blocks.flat(), ...(this.written.attached ?? [])];
    return { kind: 'message', content: withData(content, words, undefined), options: {}, notes: problems };
  }

  /** What is linked, and what words mention. */
  private mentioned(words: string): Promise<readonly UserContent[]> {
    const { linked = [] } = this.written;
    return resolveMentions(words, this.mentions, { signal: this.parts.signal, linked });
  }

  /** A message with what its command wants of its turn. */
  private async message(content: readonly UserContent[], { turn = {} }: Partial<Pick<SlashMessage, 'turn'>> = {}, options: TurnOptions = {}): Promise<Asked> {
    const { options: wanted, problems } = await this.messageOptions.optionsFor(turn, this.parts.session);
    const waiting = turn.grant === undefined ? [] : await this.unapproved(turn.grant);
    return { kind: 'message', content, options: { ...wanted, ...options }, notes: [...problems, ...waiting] };
  }

  /** What a command would like to be allowed, and is not: nobody sees it here before it runs. */
  private async unapproved(grant: TurnGrant): Promise<readonly string[]> {
    const state = await this.parts.host.permissions.grants.stateOf(grant);
    if (state !== 'waits' && state !== 'changed') return [];
    const whose = isFromRepository(grant.origin) ? 'of this folder' : 'of yours';
    return [
      `The rules of ${grant.name}, a ${grant.kind} ${whose}, wait for your approval and do not count: ${grant.rules.join(', ')}. ` +
        'Approve them in VS Code, or give what is allowed with --allowedTools.',
    ];
  }
}
