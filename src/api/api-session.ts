import { randomUUID } from 'node:crypto';
import { Signal } from '../concurrency/signal.js';
import type { UserContent } from '../domain/model/content.js';
import type { Log } from '../domain/log.js';
import type { PermissionMode } from '../domain/tool/permission.js';
import { modelKey } from '../domain/model/model-key.js';
import type { Conversation } from '../chat/conversation/conversation.js';
import type { Conversations } from '../chat/conversation/conversations.js';
import type { Elves } from '../elf/elves.js';
import type { Draft } from '../chat/composer/draft.js';
import { ApiError, parsed } from './api-error.js';
import type { GnomonAgent, GnomonDisposable, GnomonEvent, GnomonMessage, GnomonMessageInput, GnomonSession, GnomonUsage } from './gnomon-api.js';
import { plainAgents, plainMessages, plainUsage, PlainEvents } from './plain-events.js';
import { deepFreeze } from '../tool/calls/define.js';
import * as z from 'zod/mini';
import { attachedBlock } from '../domain/session/attached.js';
import { MAX_PATH_LENGTH, MAX_SEND_LENGTH } from '../protocol/limits.js';

/** Services that sessions of other extensions use. */
export interface SessionDeps {
  readonly conversations: Pick<Conversations, 'create' | 'hold' | 'leave' | 'release'>;
  /** Message queue of a conversation. */
  readonly draftOf: (conversation: Conversation) => Pick<Draft, 'outbox' | 'ready'>;
  /** Looks up what a text mentions. */
  readonly resolve: (text: string) => Promise<readonly UserContent[]>;
  readonly rename: (id: string, title: string) => Promise<void>;
  /** Shows a conversation to the user. */
  readonly show: (id: string) => Promise<void>;
  readonly isShown: (conversation: Conversation) => boolean;
  /** The permission mode that the user wants for new sessions. */
  readonly defaultMode: () => PermissionMode;
  /** The agents that work for conversations. */
  readonly elves: Pick<Elves, 'of' | 'stop' | 'nameOf'>;
  readonly log: Log;
}

/** Milliseconds between two events about agents: those that work side by side would have each of their steps reported. */
const AGENTS_EVERY_MS = 100;

/**
 * A conversation as the extension sees that started it. It cannot answer for the user, and what it gives out is plain data,
 * so that nothing of the conversation itself is within reach.
 */
export class ApiSession implements GnomonSession {
  /** Handle for the extension: only what the API describes, with methods that work unbound. */
  readonly handle: GnomonSession = handleOf(this);
  private readonly events = new Signal<GnomonEvent>();
  private readonly stops: readonly (() => void)[];
  private closed = false;
  private telling: NodeJS.Timeout | undefined;

  /** @param gone is called once, when it is closed. */
  constructor(
    private readonly conversation: Conversation,
    private readonly deps: SessionDeps,
    private readonly gone: () => void,
  ) {
    const { session } = conversation;
    const plainEvents = new PlainEvents((id) => deps.elves.nameOf(session, id));
    const hear = session.onEvent((event) => {
      if (event.type === 'work_changed' || (event.type === 'child' && event.event.type !== 'stream')) this.tellOfAgents();
      for (const plain of plainEvents.of(event)) this.events.emit(deepFreeze(plain));
    });
    this.stops = [hear, deps.conversations.hold(conversation, () => this.end())];
  }

  get id(): string {
    return this.conversation.id;
  }

  get title(): string {
    this.conversation.view.flush();
    return this.conversation.view.state.title;
  }

  get model(): string {
    return modelKey(this.conversation.session.model);
  }

  get mode(): PermissionMode {
    return this.conversation.session.mode;
  }

  get state(): GnomonSession['state'] {
    if (this.closed) return 'closed';
    const { state, childState } = this.conversation.session;
    return STATES.find((each) => each === state || each === childState) ?? 'idle';
  }

  async send(message: string | GnomonMessageInput): Promise<'sent' | 'queued'> {
    const { text, mentions, attached } = parseMessage(message);
    const { outbox, ready } = this.deps.draftOf(this.conversation);
    const files = mentions === '' ? [] : await this.deps.resolve(mentions);
    await ready;
    this.check();
    const id = randomUUID();
    await outbox.submit({ id, text, attached: [...files, ...attached] });
    return outbox.messages.some((waiting) => waiting.id === id) ? 'queued' : 'sent';
  }

  cancel(): void {
    if (!this.closed) this.conversation.session.cancel();
  }

  onEvent(listener: (event: GnomonEvent) => unknown): GnomonDisposable {
    if (typeof listener !== 'function') throw new ApiError('invalid', 'onEvent takes a function.');
    return { dispose: this.events.subscribe((event) => void this.call(listener, event)) };
  }

  messages(): readonly GnomonMessage[] {
    return plainMessages(this.conversation.session.messages);
  }

  get usage(): GnomonUsage {
    return deepFreeze(plainUsage(this.conversation.session.usage));
  }

  get costUsd(): number | undefined {
    return this.conversation.session.costUsd;
  }

  async agents(): Promise<readonly GnomonAgent[]> {
    this.check();
    const household = await this.deps.elves.of(this.conversation.session);
    return deepFreeze(plainAgents(household.facts));
  }

  async stopAgents(id?: string): Promise<void> {
    this.check();
    const { elves } = this.deps;
    const { session } = this.conversation;
    // Extensions can be written in JavaScript.
    const named: unknown = id;
    if (named !== undefined && (typeof named !== 'string' || (await elves.of(session)).find(named) === undefined))
      throw new ApiError('invalid', `This session has no agent ${typeof named === 'string' ? `“${named}”` : 'by that name'}.`);
    await elves.stop(session, id);
  }

  async show(): Promise<void> {
    this.check();
    await this.deps.show(this.id);
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.end();
    const { conversations, isShown, log } = this.deps;
    // A turn that still runs may take long; it is not awaited here.
    conversations
      .leave(this.conversation, () => isShown(this.conversation))
      .catch((error: unknown) => log.error('A session of another extension did not close', error));
    return Promise.resolve();
  }

  /** Calls a function of the other extension, which may return a promise. That it fails, now or later, is logged. */
  private async call(listener: (event: GnomonEvent) => unknown, event: GnomonEvent): Promise<void> {
    try {
      await listener(event);
    } catch (error) {
      this.deps.log.error(`A listener of another extension failed at the event ${event.type}`, error);
    }
  }

  private tellOfAgents(): void {
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      this.events.emit(deepFreeze({ type: 'agents_changed' }));
    }, AGENTS_EVERY_MS);
  }

  private check(): void {
    if (this.closed) throw new ApiError('closed', 'This session is closed. Start another one.');
  }

  private end(): void {
    if (this.closed) return;
    this.closed = true;
    for (const stop of this.stops) stop();
    clearTimeout(this.telling);
    this.gone();
    this.events.emit(deepFreeze({ type: 'closed' }));
  }
}

/** From the one that tells most about a session and those that work for it. */
const STATES = ['waiting', 'running'] as const;

function handleOf(session: GnomonSession): GnomonSession {
  return Object.freeze({
    get id() {
      return session.id;
    },
    get title() {
      return session.title;
    },
    get model() {
      return session.model;
    },
    get mode() {
      return session.mode;
    },
    get state() {
      return session.state;
    },
    get usage() {
      return session.usage;
    },
    get costUsd() {
      return session.costUsd;
    },
    agents: () => session.agents(),
    stopAgents: (id) => session.stopAgents(id),
    send: (message) => session.send(message),
    cancel: () => session.cancel(),
    onEvent: (listener) => session.onEvent(listener),
    messages: () => session.messages(),
    show: () => session.show(),
    close: () => session.close(),
  } satisfies GnomonSession);
}

/** Files of one message; as many as mentions that are looked up. */
const MAX_FILES = 30;
/** Other attachments of one message. */
const MAX_ATTACHMENTS = 20;

const line = z.optional(z.int().check(z.positive()));
const text = z.string().check(z.maxLength(MAX_SEND_LENGTH));
const schema = z.object({
  text,
  files: z.optional(
    z
      .array(z.object({ path: z.string().check(z.regex(/^[^"\n]+$/), z.maxLength(MAX_PATH_LENGTH)), firstLine: line, lastLine: line }))
      .check(z.maxLength(MAX_FILES)),
  ),
  attachments: z.optional(z.array(z.object({ name: z.string().check(z.minLength(1)), text })).check(z.maxLength(MAX_ATTACHMENTS))),
});

/** A message from an extension: its text and attachments. */
interface MessageInput {
  readonly text: string;
  /** The files, as mentions. */
  readonly mentions: string;
  readonly attached: readonly UserContent[];
}

/** @throws ApiError for what is no message. */
function parseMessage(message: unknown): MessageInput {
  const { text: words, files = [], attachments = [] } = parsed(schema, typeof message === 'string' ? { text: message } : message, 'send');
  if (words.trim() === '' && files.length + attachments.length === 0) throw new ApiError('invalid', 'The message is empty.');
  const mentions = files.map(
    ({ path, firstLine, lastLine = firstLine }) => `@"${path}"${firstLine === undefined ? '' : `:${firstLine}-${lastLine ?? firstLine}`}`,
  );
  return { text: words, mentions: mentions.join(' '), attached: attachments.map(attachedBlock) };
}
