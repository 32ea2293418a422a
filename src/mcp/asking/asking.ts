import { present } from '../../domain/present.js';
import type { Clock } from '../../domain/clock.js';
import { t } from '../../domain/l10n.js';
import {
  type McpElicitation,
  type McpElicitationAnswer,
  type McpField,
  type McpFieldValue,
  type McpQuestionAnswer,
  McpRefusal,
  type McpRoot,
  type McpSample,
  type McpSampleAnswer,
} from '../../domain/mcp/request.js';
import { totalInputTokens } from '../../domain/model/usage.js';
import { headOf, showName } from '../../text/show.js';
import type { McpQuestions } from '../servers/ports.js';
import { AskingPace, SampleBudget } from './asking-pace.js';
import { type McpQuestion, QuestionQueue } from './question-queue.js';
import type { RunningCalls } from './running-calls.js';
import { prepareSample, sampleAnswer, type SampleModel } from './sampling.js';

/** Questions of one server that are open at the same time. */
const MAX_OPEN = 3;
/** Characters of an address that is refused, for the user to see. */
const SHOWN_ADDRESS = 200;

/** Facts about a server that the user needs to judge its request. */
export interface AskingServer {
  /** The name that the user knows it by. */
  readonly name: string;
  /** The host that it is reached at, for one that is reached over HTTP. */
  readonly host?: string;
}

/** Services for requests of MCP servers: elicitation and sampling go through a chat, roots are answered directly. */
export interface McpAskingDeps {
  readonly clock: Clock;
  readonly calls: RunningCalls;
  /** The server with an id; one that is gone asks nothing any more. */
  readonly serverOf: (id: string) => AskingServer | undefined;
  /** The chat that the user works in. */
  readonly shownSession: () => string;
  /** Whether values are a complete answer to a form. */
  readonly isAnswer: (fields: readonly McpField[], values: Readonly<Record<string, McpFieldValue>>) => boolean;
  /** Opens an address in the browser. Resolves with whether it did; called only after the user said so. */
  readonly openExternal: (url: string) => Promise<boolean>;
  readonly roots: () => readonly McpRoot[];
  /** Whether servers may ask for answers of models. */
  readonly sampling: () => 'ask' | 'off';
  /** The model of a chat; `undefined` for a chat that is not open. */
  readonly modelOf: (session: string) => Promise<SampleModel | undefined>;
  /** Takes a sentence for the user about what a server was refused. */
  readonly tell: (session: string, text: string) => void;
}

/** Characters of what a server says, and of a title or description of a field. */
const MAX_MESSAGE = 4_000;
const MAX_WORDS = 1_000;
/** Fields that somebody can be expected to fill in, and options among which somebody can be expected to choose. */
const MAX_FIELDS = 50;
const MAX_OPTIONS = 500;
/** Characters of the name of a field, and of a value to choose. */
const MAX_NAME = 200;

/** Why the user is not asked for something, for the server's author; nothing is cut, because all of it is to be read. */
function tooLong(asked: McpElicitation): string | undefined {
  if (asked.message.length > MAX_MESSAGE) return `The message is longer than ${MAX_MESSAGE} characters.`;
  if (asked.mode === 'url') return undefined;
  if (asked.fields.length > MAX_FIELDS) return `The form has more than ${MAX_FIELDS} fields.`;
  const field = asked.fields.find(isTooLong);
  return field === undefined ? undefined : `The field "${field.name.slice(0, MAX_NAME)}" has texts or choices that are too long.`;
}

function isTooLong(field: McpField): boolean {
  const { name, title = '', description = '' } = field;
  if (name.length > MAX_NAME || title.length > MAX_WORDS || description.length > MAX_WORDS) return true;
  if (field.type !== 'choice' && field.type !== 'choices') return field.type === 'text' && (field.default?.length ?? 0) > MAX_MESSAGE;
  return field.options.length > MAX_OPTIONS || field.options.some(({ value, title: words }) => value.length > MAX_NAME || words.length > MAX_WORDS);
}

/** Characters of an address that can be read before it is opened. */
const MAX_ADDRESS = 2_000;
// oxlint-disable-next-line no-control-regex -- controls are what it looks for
const UNSEEN = /[\x00-\x20\x7f-\xa0\\]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Zs}/u;

/** Validated URL of a server's request: refused, with a reason for the server's author, or normalized as the browser reads it. */
type WebAddress = { readonly refused: string } | { readonly url: string };

/**
 * Judges an address that a server wants to have opened, without opening it. Only what can do nothing but show a web page is left, and
 * only in the form in which the user is shown where it leads. The part of the specification about elicitation in URL mode (2025-11-25).
 */
function readWebAddress(address: string): WebAddress {
  if (address.length > MAX_ADDRESS) return { refused: `The address is longer than ${MAX_ADDRESS} characters.` };
  // Browsers leave some of these out and take others for slashes, so that what is read is not what is opened.
  if (UNSEEN.test(address)) return { refused: 'The address contains spaces, backslashes, or characters that cannot be seen.' };
  if (!URL.canParse(address)) return { refused: 'The address is not a complete URL.' };
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { refused: 'Only addresses with https: or http: can be opened.' };
  // Also where both are empty, as in `https://@host`.
  if (/^https?:\/*[^/?#]*@/i.test(address)) return { refused: 'The address contains a user name.' };
  if (url.href.length > MAX_ADDRESS) return { refused: `The address is longer than ${MAX_ADDRESS} characters.` };
  return { url: url.href };
}

/** The host of a server when an address leads to another one. `undefined` for the server's own host, its subdomains, and a server that has none. */
function otherHostThan(url: string, own: string | undefined): string | undefined {
  if (own === undefined || own === '') return undefined;
  const { hostname } = new URL(url);
  return hostname === own || hostname.endsWith(`.${own}`) ? undefined : own;
}

/** Elicitation and sampling requests of servers: each is shown in a chat, and nothing is answered that was not shown there. */
export class McpAsking {
  private readonly queue = new QuestionQueue();
  private readonly pace: AskingPace;
  private readonly budget = new SampleBudget();
  /** Calls back after each change of what is open. Returns how to stop that. */
  readonly onDidChange = this.queue.onDidChange;

  constructor(private readonly deps: McpAskingDeps) {
    this.pace = new AskingPace(deps.clock);
  }

  /** Handlers for the requests of one connection. When sampling is off, the server is not offered it. */
  questions(id: string): McpQuestions {
    return {
      roots: this.deps.roots,
      elicit: (request, signal) => this.elicit(id, request, signal),
      elicited: (elicitation) => this.elicited(id, elicitation),
      ...(this.deps.sampling() === 'off' ? {} : { sample: (request, signal) => this.sample(id, request, signal) }),
    };
  }

  /** Open questions of a chat, oldest first. */
  open(session: string): readonly McpQuestion[] {
    return this.queue.list(session);
  }

  /** The chats in which anything is open, the oldest question first. */
  get waiting(): readonly string[] {
    return [...new Set(this.queue.list().map(({ session }) => session))];
  }

  /**
   * Takes what the user answered. What is not an answer to the question that has this id is passed over: a page may be a moment behind,
   * and what it sends is checked again.
   */
  answer(id: string, answer: McpQuestionAnswer): void {
    const asked = this.queue.get(id)?.asked;
    if (asked !== undefined && (answer.action !== 'accept' || this.fits(asked, answer))) this.queue.answer(id, answer);
  }

  /** Cancels what is asked in a chat that is closed. */
  close(session: string): void {
    this.queue.cancel((question) => question.session === session);
  }

  /** Cancels all. */
  dispose(): void {
    this.queue.cancel(() => true);
  }

  private fits(asked: McpQuestion['asked'], answer: Extract<McpQuestionAnswer, { action: 'accept' }>): boolean {
    const content = 'content' in answer ? answer.content : undefined;
    if (asked.mode === 'form') return content !== undefined && this.deps.isAnswer(asked.fields, content);
    return content === undefined && (asked.mode === 'sample' || !('always' in answer));
  }

  /** A default that breaks what its own blank wants would only be found when the form is sent. */
  private withGoodDefault(field: McpField): McpField {
    return field.default === undefined || this.deps.isAnswer([field], { [field.name]: field.default }) ? field : withoutDefault(field);
  }

  private async elicit(id: string, request: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer> {
    const { session, over, server } = this.begin(id);
    const problem = tooLong(request);
    if (problem !== undefined) this.refuse(id, session, problem);
    const asked =
      request.mode === 'url'
        ? { ...request, url: this.readAddress(id, session, request.url) }
        : { ...request, fields: request.fields.map((field) => this.withGoodDefault(field)) };
    const ownHost = asked.mode === 'url' ? otherHostThan(asked.url, server.host) : undefined;
    const answer = await this.put({ serverId: id, server: server.name, session, asked, ...present({ ownHost }) }, { gone: signal, over });
    if (answer.action !== 'accept' || asked.mode === 'form') return withoutAlways(answer);
    // The server is told only that the page was opened; Gnomon does not see what is done there.
    return (await this.deps.openExternal(asked.url)) ? { action: 'accept' } : { action: 'cancel' };
  }

  /** Closes the question about a page that the server says is completed: the user does not have to open it any more. */
  private elicited(id: string, elicitation: string): void {
    this.queue.cancel(({ serverId, asked }) => serverId === id && asked.mode === 'url' && asked.id === elicitation && elicitation !== '');
  }

  private async sample(id: string, sample: McpSample, signal: AbortSignal): Promise<McpSampleAnswer> {
    if (this.deps.sampling() === 'off') throw new McpRefusal('The user has switched off that servers ask models.');
    const { session, over, server } = this.begin(id);
    const model = await this.deps.modelOf(session);
    if (model === undefined) throw new McpRefusal('There is no chat whose model could answer.');
    const prepared = this.prepare(id, session, () =>
      prepareSample(sample, model, { left: this.budget.left(id, session), timestamp: this.deps.clock.timestamp() }),
    );
    const settle = this.budget.reserve(id, session, prepared.mostTokens);
    let used = 0;
    try {
      if (!this.budget.isAllowed(id, session, model.info)) {
        const answer = await this.put({ serverId: id, server: server.name, session, asked: prepared.question }, { gone: signal, over });
        if (answer.action !== 'accept') throw new McpRefusal('The user does not want this to be answered.');
        if ('always' in answer) this.budget.allow(id, session, model.info);
      }
      // Also when it is stopped: the provider counts what was sent.
      used = prepared.mostTokens;
      const completion = await model.complete(prepared.request, over === undefined ? signal : AbortSignal.any([signal, over]));
      used = totalInputTokens(completion.usage) + completion.usage.outputTokens;
      return sampleAnswer(completion, sample, model.info);
    } finally {
      settle(used);
    }
  }

  /** Where a question belongs. @throws McpRefusal for a server that asks too much */
  private begin(id: string): { readonly session: string; readonly over: AbortSignal | undefined; readonly server: AskingServer } {
    const { calls, shownSession, serverOf, tell } = this.deps;
    const shown = shownSession();
    const { session = shown, over } = calls.occasion(id, shown);
    const server = serverOf(id);
    if (server === undefined) throw new McpRefusal('Gnomon does not use this server any more.');
    const rest = this.pace.ask(id);
    if (rest?.isNew === true)
      tell(session, t('The MCP server “{0}” keeps asking. Gnomon does not pass on its requests for a few minutes.', showName(server.name)));
    if (rest !== undefined) throw new McpRefusal(rest.reason);
    return { session, over, server };
  }

  private readAddress(id: string, session: string, address: string): string {
    const read = readWebAddress(address);
    if ('url' in read) return read.url;
    const shown = showName(headOf(address, SHOWN_ADDRESS)) + (address.length > SHOWN_ADDRESS ? '…' : '');
    return this.refuse(id, session, read.refused, t('The MCP server “{0}” wanted to open an address that Gnomon refuses: {1}', this.nameOf(id), shown));
  }

  private nameOf(id: string): string {
    return showName(this.deps.serverOf(id)?.name ?? id);
  }

  /**
   * Refuses a request, and reports that to the server and the user.
   * @param reason for the server's author @param told for the user, to whom the rest is nothing that they could change
   */
  private refuse(
    id: string,
    session: string,
    reason: string,
    told = t('The MCP server “{0}” asked for something that Gnomon does not pass on. The servers view shows its messages.', this.nameOf(id)),
  ): never {
    this.pace.ended(id, false);
    this.deps.tell(session, told);
    throw new McpRefusal(reason);
  }

  private prepare<T>(id: string, session: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof McpRefusal)) throw error;
      return this.refuse(id, session, error.message);
    }
  }

  /** Puts a question to the user. */
  private async put(
    question: Omit<McpQuestion, 'id'>,
    { gone, over }: { readonly gone: AbortSignal; readonly over: AbortSignal | undefined },
  ): Promise<McpQuestionAnswer> {
    const { serverId, session } = question;
    if (this.queue.list().filter((other) => other.serverId === serverId).length >= MAX_OPEN)
      this.refuse(serverId, session, `There are ${MAX_OPEN} requests that the user has not answered.`);
    let accepted = false;
    try {
      const answer = await this.queue.ask(question, { gone, ...present({ over }) });
      accepted = answer.action === 'accept';
      return answer;
    } finally {
      this.pace.ended(serverId, accepted);
    }
  }
}

/** Maps an answer of the user to the result for the server. */
function withoutAlways(answer: McpQuestionAnswer): McpElicitationAnswer {
  return 'always' in answer ? { action: answer.action } : answer;
}

function withoutDefault({ default: _bad, ...field }: McpField): McpField {
  return field;
}
