import { present } from '../../domain/present.js';
import type { Client, StandardSchemaV1, SubscriptionFilter } from '@modelcontextprotocol/client';
import { type McpAgreement, type McpCallOptions, type McpConnection, McpError } from '../../domain/mcp/connection.js';
import type {
  McpCallResult,
  McpCompletionRef,
  McpContents,
  McpListed,
  McpPrompt,
  McpPromptMessage,
  McpResource,
  McpResourceTemplate,
  McpToolInfo,
} from '../../domain/mcp/feature.js';
import { t } from '../../domain/l10n.js';
import { httpStatus, mcpError } from './errors.js';
import { readBlock, readContents, type ReadItem, readMessage, readPrompt, readResource, readTemplate, toolReader } from './wire/from-wire.js';
import { headersOfCall } from './wire/header-parameters.js';
import { type JsonRecord, list, number, record, text } from './wire/json.js';
import { type ConnectContext, type Link, reopenLink, type Shared } from './link.js';
import { Listening } from './listening.js';
import { serverResult } from './transport/observed-transport.js';
import { OutputChecks } from './wire/output-check.js';
import { readPages } from './wire/pages.js';
import { abortError, type PatientCall, withPatience } from './patience.js';

/** The client’s own time limit of requests: none that would come before ours. */
const FOREVER_MS = 2 ** 31 - 1;
/** The severity from which on log lines are asked for. */
const LOG_LEVEL = 'info';
/** Where the modern era wants it. */
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
const NOT_FOUND = 404;
const MAX_SUGGESTIONS = 100;
const MAX_MESSAGE_CHARACTERS = 1_000;
/** Beginning of progress messages that the client itself creates for multi-round requests. */
const OWN_PROGRESS = 'Fulfilling input required by ';

/** Has the client accept whatever a server sent: it is read piece by piece here, so that one bad piece does not spoil the rest. */
const ANYTHING: StandardSchemaV1<unknown, unknown> = { '~standard': { version: 1, vendor: 'gnomon', validate: (value) => ({ value }) } };

/** A request, and what is sent with it. */
interface Asked {
  readonly method: string;
  readonly params: JsonRecord;
  readonly headers?: Readonly<Record<string, string>>;
}

/** {@link McpConnection} through the official client. */
export class Connection implements McpConnection {
  readonly agreement: McpAgreement;

  private readonly checks = new OutputChecks();
  /** Resource subscriptions of the user, by URI, with what ends each. */
  private readonly subscribed = new Map<string, Listening | undefined>();
  private listening: Listening | undefined;
  /** Aborted when the connection is closed. */
  private readonly life = new AbortController();
  private renewing: Promise<void> | undefined;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly context: ConnectContext,
    private readonly shared: Shared,
    private link: Link,
  ) {
    this.agreement = link.agreement;
  }

  /** A connection that starts to listen. */
  static open(context: ConnectContext, shared: Shared, link: Link): Connection {
    // It may have ended in this very moment.
    if (link.client.transport === undefined) throw new McpError('closed', link.ended() ?? t('The server closed the connection.'));
    const connection = new Connection(context, shared, link);
    connection.begin(link);
    return connection;
  }

  listTools(signal: AbortSignal): Promise<McpListed<McpToolInfo>> {
    const { limits } = this.context;
    return this.listed({ method: 'tools/list', key: 'tools', read: toolReader(limits, this.mirrorsArguments), has: this.agreement.capabilities.tools }, signal);
  }

  listResources(signal: AbortSignal): Promise<McpListed<McpResource>> {
    return this.listed({ method: 'resources/list', key: 'resources', read: readResource, has: this.agreement.capabilities.resources }, signal);
  }

  listResourceTemplates(signal: AbortSignal): Promise<McpListed<McpResourceTemplate>> {
    return this.listed(
      { method: 'resources/templates/list', key: 'resourceTemplates', read: readTemplate, has: this.agreement.capabilities.resources },
      signal,
    );
  }

  listPrompts(signal: AbortSignal): Promise<McpListed<McpPrompt>> {
    return this.listed({ method: 'prompts/list', key: 'prompts', read: readPrompt, has: this.agreement.capabilities.prompts }, signal);
  }

  async callTool(tool: McpToolInfo, args: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<McpCallResult> {
    const headers = this.mirrorsArguments ? headersOfCall(tool.inputSchema, args) : {};
    const result = await this.asked({ method: 'tools/call', params: { name: tool.name, arguments: args }, headers }, options);
    const isError = result['isError'] === true;
    const structured = result['structuredContent'];
    return {
      content: list(result['content']).map(readBlock),
      isError,
      ...present({ structured, mismatch: isError ? undefined : this.mismatch(tool, structured) }),
    };
  }

  async readResource(uri: string, options: McpCallOptions): Promise<readonly McpContents[]> {
    const result = await this.asked({ method: 'resources/read', params: { uri } }, options);
    return list(result['contents']).flatMap((each) => readContents(each) ?? []);
  }

  async getPrompt(name: string, args: Readonly<Record<string, string>>, options: McpCallOptions): Promise<readonly McpPromptMessage[]> {
    const result = await this.asked({ method: 'prompts/get', params: { name, arguments: args } }, options);
    return list(result['messages']).map(readMessage);
  }

  async complete(
    ref: McpCompletionRef,
    blank: { readonly name: string; readonly value: string },
    others: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (!this.agreement.capabilities.completions) return [];
    const about = ref.type === 'prompt' ? { type: 'ref/prompt', name: ref.name } : { type: 'ref/resource', uri: ref.uriTemplate };
    const context = Object.keys(others).length === 0 ? {} : { context: { arguments: others } };
    const params = { ref: about, argument: { name: blank.name, value: blank.value }, ...context };
    const result = await this.asked({ method: 'completion/complete', params }, { signal, idleMs: this.context.limits.requestMs });
    return list(record(result['completion'])?.['values'])
      .filter((each) => typeof each === 'string')
      .slice(0, MAX_SUGGESTIONS);
  }

  async subscribe(uri: string, signal: AbortSignal): Promise<() => Promise<void>> {
    if (this.agreement.era === 'legacy') await this.asked({ method: 'resources/subscribe', params: { uri } }, this.ownRequest(signal));
    const listening =
      this.agreement.era === 'legacy'
        ? undefined
        : await this.listen({ resourceSubscriptions: [uri] }, () => this.context.handlers.resourceUpdated(uri), signal);
    await this.subscribed.get(uri)?.end();
    this.subscribed.set(uri, listening);
    return () => this.unsubscribe(uri, listening);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async unsubscribe(uri: string, listening: Listening | undefined): Promise<void> {
    if (!this.subscribed.has(uri) || this.subscribed.get(uri) !== listening) return;
    this.subscribed.delete(uri);
    if (listening !== undefined) return listening.end();
    // Nothing depends on it: a server that is gone tells nothing any more.
    await this.asked({ method: 'resources/unsubscribe', params: { uri } }, this.ownRequest(this.life.signal)).catch(() => undefined);
  }

  private async end(): Promise<void> {
    // Not in the way of the end: what it stands for is closed next.
    for (const each of [this.listening, ...this.subscribed.values()]) void each?.end();
    this.life.abort();
    await this.link.close();
  }

  /** Whether arguments are also sent as headers. */
  private get mirrorsArguments(): boolean {
    return this.agreement.era === 'modern' && this.agreement.transport === 'http';
  }

  private mismatch({ outputSchema }: McpToolInfo, structured: unknown): string | undefined {
    if (outputSchema === undefined) return undefined;
    return structured === undefined ? 'The tool promises structured output, but sent none.' : this.checks.mismatch(outputSchema, structured);
  }

  private async listed<Item>(
    { method, key, read, has }: { readonly method: string; readonly key: string; readonly read: ReadItem<Item>; readonly has: boolean },
    signal: AbortSignal,
  ): Promise<McpListed<Item>> {
    if (!has) return { items: [], warnings: [] };
    const page = (cursor: string | undefined): Promise<JsonRecord> =>
      this.asked({ method, params: cursor === undefined ? {} : { cursor } }, this.ownRequest(signal));
    return readPages({ key, read, page }, this.context.limits, signal);
  }

  private ownRequest(signal: AbortSignal): McpCallOptions {
    return { signal, hardMs: this.context.limits.requestMs };
  }

  /** Sends a request, in a new session if the server has forgotten this one. */
  private async asked(request: Asked, options: McpCallOptions): Promise<JsonRecord> {
    try {
      return await withPatience(options, this.shared.questions, async (call) => {
        const { link } = this;
        const { pages, questions } = this.shared;
        try {
          return await this.send(link, request, { call, options });
        } catch (error) {
          if (httpStatus(error) === NOT_FOUND && link.session() !== undefined) await this.renew(link);
          else if (!(await pages.visited(error, { elicit: this.context.handlers.elicit, questions }, call.signal))) throw error;
          return await this.send(this.link, request, { call, options });
        }
      });
    } catch (error) {
      if (options.signal.aborted) throw abortError(options.signal);
      throw mcpError(error, this.link.ended());
    }
  }

  private async send(
    { client }: Link,
    { method, params, headers }: Asked,
    { call, options }: { readonly call: PatientCall; readonly options: McpCallOptions },
  ): Promise<JsonRecord> {
    const level = this.agreement.era === 'modern' && this.agreement.capabilities.logging ? { _meta: { [LOG_LEVEL_KEY]: LOG_LEVEL } } : {};
    const result = await client.request({ method, params: { ...params, ...level } }, ANYTHING, {
      signal: call.signal,
      timeout: FOREVER_MS,
      ...(headers === undefined ? {} : { headers: { ...headers } }),
      onprogress: ({ progress, total, message }) => {
        call.alive();
        if (message?.startsWith(OWN_PROGRESS) === true) return;
        options.progress?.(present({ progress, total: number(total), message: text(message)?.slice(0, MAX_MESSAGE_CHARACTERS) }));
      },
    });
    return serverResult(result);
  }

  private begin(link: Link): void {
    const { client } = link;
    const told = client.onclose;
    client.onclose = () => {
      told?.();
      if (this.link === link) this.over(link);
    };
    this.shared.inbox.start();
    if (this.agreement.era === 'modern') void this.listenToLists(client);
    // A server may declare logging and then refuse `logging/setLevel`.
    else if (this.agreement.capabilities.logging)
      void this.asked({ method: 'logging/setLevel', params: { level: LOG_LEVEL } }, this.ownRequest(this.life.signal)).catch(() => undefined);
  }

  private over(link: Link): void {
    this.shared.inbox.stop();
    this.context.handlers.closed({ reason: link.ended() ?? '', wanted: this.closing !== undefined });
  }

  private async listenToLists(client: Client): Promise<void> {
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const filter: SubscriptionFilter = {
      ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    };
    if (Object.keys(filter).length === 0) return;
    try {
      this.listening = await this.listen(filter, () => this.allChanged());
    } catch {
      // The server does not tell although it said so. Its lists can be read nevertheless.
    }
  }

  private async listen(filter: SubscriptionFilter, missed: () => void, signal?: AbortSignal): Promise<Listening> {
    try {
      return await Listening.start(this.link.client, filter, missed, present({ timeoutMs: this.context.limits.requestMs, signal }));
    } catch (error) {
      if (signal?.aborted === true) throw abortError(signal);
      throw mcpError(error, this.link.ended());
    }
  }

  private allChanged(): void {
    const { tools, prompts, resources } = this.agreement.capabilities;
    if (tools) this.shared.inbox.changed('tools');
    if (prompts) this.shared.inbox.changed('prompts');
    if (resources) this.shared.inbox.changed('resources');
  }

  /** Starts a new session in place of one that the server has forgotten; once, however many requests find that out. */
  private async renew(old: Link): Promise<void> {
    if (this.link !== old) return;
    this.renewing ??= this.replace(old).finally(() => (this.renewing = undefined));
    await this.renewing;
  }

  private async replace(old: Link): Promise<void> {
    const link = await reopenLink(this.context, this.shared, this.life.signal);
    this.link = link;
    this.begin(link);
    await old.client.close();
    this.allChanged();
    for (const uri of this.subscribed.keys()) {
      this.context.handlers.resourceUpdated(uri);
      // Without it, changes of the resource go unnoticed, which is no reason to end the new connection.
      void this.asked({ method: 'resources/subscribe', params: { uri } }, this.ownRequest(this.life.signal)).catch(() => undefined);
    }
  }
}
