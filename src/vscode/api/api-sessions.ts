import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { ApiError } from './api-error.js';
import type { SessionPorts } from './api-session.js';
import { ApiSession } from './api-session.js';
import type { GnomonSession, GnomonSessionOptions } from './gnomon-api.js';
import type { OfferedTools } from './offered-tools.js';
import { parseStart, startingMode } from './start-options.js';
import { ToolChoice } from './tool-choice.js';

/** Sessions that one extension may have open at once: each is kept in memory. */
const MAX_SESSIONS = 16;

/** What {@link ApiSessions} works with. */
export interface ApiSessionsParts extends SessionPorts {
  readonly offered: OfferedTools;
}

/** The sessions that other extensions have started in this window. */
export class ApiSessions {
  private readonly parts: ApiSessionsParts;
  /** By their callers. A session that is just being started has no entry but counts. */
  private readonly byCaller = new Map<string, Map<string, ApiSession>>();
  private readonly starting = new Map<string, number>();

  constructor(parts: ApiSessionsParts) {
    this.parts = parts;
  }

  /** Starts a session for an extension. */
  async start(caller: string, options: GnomonSessionOptions | undefined): Promise<GnomonSession> {
    const wish = parseStart(options);
    const starting = this.starting.get(caller) ?? 0;
    if (this.of(caller).size + starting >= MAX_SESSIONS) throw new ApiError('limit', `An extension can have ${MAX_SESSIONS} sessions open. Close one first.`);
    this.starting.set(caller, starting + 1);
    try {
      const session = await this.create(caller, wish);
      if (wish.show === true) await session.show();
      return session.handle;
    } finally {
      this.starting.set(caller, (this.starting.get(caller) ?? 1) - 1);
    }
  }

  /** The open sessions of an extension. */
  list(caller: string): readonly GnomonSession[] {
    return [...this.of(caller).values()].map(({ handle }) => handle);
  }

  /** An open session of an extension. Whether there is another one under that id is not told. */
  open(caller: string, id: string): GnomonSession {
    const session = this.of(caller).get(id);
    if (session === undefined) throw new ApiError('not_yours', `${caller} has started no session ${id} in this window, or it is closed.`);
    return session.handle;
  }

  private async create(caller: string, wish: ReturnType<typeof parseStart>): Promise<ApiSession> {
    const { conversations, defaultMode, rename, offered, log } = this.parts;
    const tools = new ToolChoice(wish.tools);
    const conversation = await conversations.create(tools, { model: wish.model, mode: startingMode(wish.mode, defaultMode()) });
    const missing = tools.missing(offered.all);
    if (missing.length > 0) {
      conversations.release(conversation.id).catch((error: unknown) => log.warn(`A session that was not wanted did not close: ${errorMessage(error)}`));
      throw new ApiError('invalid', `There are no tools ${missing.join(', ')}.`);
    }
    const mine = this.of(caller);
    const session = new ApiSession(conversation, this.parts, () => mine.delete(conversation.id));
    mine.set(session.id, session);
    conversation.notify({ level: 'info', text: t('The extension {0} has started this session and can send messages in it.', caller), actions: [] });
    if (wish.title !== undefined) await rename(session.id, wish.title);
    return session;
  }

  private of(caller: string): Map<string, ApiSession> {
    const known = this.byCaller.get(caller) ?? new Map<string, ApiSession>();
    this.byCaller.set(caller, known);
    return known;
  }
}
