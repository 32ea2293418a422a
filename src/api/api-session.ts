import { randomUUID } from 'node:crypto';
import { Signal } from '../concurrency/signal.js';
import type { UserContent } from '../domain/model/content.js';
import type { Log } from '../domain/log.js';
import type { PermissionMode } from '../domain/tool/permission.js';
import { modelKey } from '../domain/model/model-key.js';
import type { Conversation } from '../chat/conversation/conversation.js';
import type { Conversations } from '../chat/conversation/conversations.js';
import type { Draft } from '../chat/composer/draft.js';
import { ApiError, parsed } from './api-error.js';
import type { GnomonDisposable, GnomonEvent, GnomonMessage, GnomonMessageInput, GnomonSession } from './gnomon-api.js';
import { plainMessages, PlainEvents } from './plain-events.js';
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
  readonly log: Log;
}

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

  /** @param gone is called once, when it is closed. */
  constructor(
    private readonly conversation: Conversation,
    private readonly deps: SessionDeps,
    private readonly gone: () => void,
  ) {
    const plainEvents = new PlainEvents();
    const hear = conversation.session.onEvent((event) => {
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
    return this.closed ? 'closed' : this.conversation.session.state;
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

  private check(): void {
    if (this.closed) throw new ApiError('closed', 'This session is closed. Start another one.');
  }

  private end(): void {
    if (this.closed) return;
    this.closed = true;
    for (const stop of this.stops) stop();
    this.gone();
    this.events.emit(deepFreeze({ type: 'closed' }));
  }
}

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
