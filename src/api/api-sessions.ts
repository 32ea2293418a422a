import { errorMessage } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import { AGENT_TOOL, AGENTS_TOOL } from '../elf/elf-types.js';
import { ApiError, parsed } from './api-error.js';
import { type SessionDeps, ApiSession } from './api-session.js';
import type { GnomonSession, GnomonSessionOptions, GnomonMode } from './gnomon-api.js';
import type { OfferedTools } from './offered-tools.js';
import * as z from 'zod/mini';
import type { PermissionMode, Gate } from '../domain/tool/permission.js';
import { MAX_TITLE_LENGTH } from '../protocol/limits.js';
import type { Tool } from '../domain/tool/tool.js';
import type { SessionShape } from '../agent-host/session-factory.js';

/** Sessions that one extension may have open at once: each is kept in memory. */
const MAX_SESSIONS = 16;

/** Services for sessions that extensions start: those of any session, and the tools that extensions offer. */
export interface ApiSessionsDeps extends SessionDeps {
  readonly offered: OfferedTools;
}

/** The sessions that other extensions have started in this window. */
export class ApiSessions {
  /** By their callers. A session that is just being started has no entry but counts. */
  private readonly byCaller = new Map<string, Map<string, ApiSession>>();
  private readonly starting = new Map<string, number>();

  constructor(private readonly deps: ApiSessionsDeps) {}

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

  /** An open session of an extension. Whether another session has that id is not disclosed. */
  open(caller: string, id: string): GnomonSession {
    const session = this.of(caller).get(id);
    if (session === undefined) throw new ApiError('not_yours', `${caller} has started no session ${id} in this window, or it is closed.`);
    return session.handle;
  }

  private async create(caller: string, wish: ReturnType<typeof parseStart>): Promise<ApiSession> {
    const { conversations, defaultMode, rename, offered, log } = this.deps;
    const tools = new ToolChoice(wish.tools);
    const conversation = await conversations.create(tools, { model: wish.model, mode: startingMode(wish.mode, defaultMode()) });
    const missing = tools.missing(offered.all);
    if (missing.length > 0) {
      conversations.release(conversation.id).catch((error: unknown) => log.warn(`A session that was not wanted did not close: ${errorMessage(error)}`));
      throw new ApiError('invalid', `There are no tools ${missing.join(', ')}.`);
    }
    const mine = this.of(caller);
    const session = new ApiSession(conversation, this.deps, () => mine.delete(conversation.id));
    mine.set(session.id, session);
    conversation.notify({ level: 'info', text: t('The extension {0} started this chat and can send messages in it.', caller), actions: [] });
    if (wish.title !== undefined) await rename(session.id, wish.title);
    return session;
  }

  private of(caller: string): Map<string, ApiSession> {
    const known = this.byCaller.get(caller) ?? new Map<string, ApiSession>();
    this.byCaller.set(caller, known);
    return known;
  }
}

/** The modes, from the one that allows least to the one that allows most. */
const STRICTEST_FIRST = ['plan', 'ask', 'default', 'acceptEdits', 'bypassPermissions'] as const satisfies readonly PermissionMode[];
/** Modes that an extension may request. */
const WISHES = ['plan', 'ask', 'default', 'acceptEdits'] as const satisfies readonly GnomonMode[];

const schema = z.object({
  title: z.optional(z.string().check(z.maxLength(MAX_TITLE_LENGTH))),
  model: z.optional(z.string().check(z.minLength(1))),
  mode: z.optional(z.enum(WISHES)),
  tools: z.optional(z.array(z.string())),
  show: z.optional(z.boolean()),
});

/** Options of a new session; unknown ones, of a later version, are ignored. */
type StartOptions = z.infer<typeof schema>;

/** @throws ApiError for options that cannot be followed. */
function parseStart(options: unknown): StartOptions {
  const mode: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'mode') : undefined;
  if (mode === 'bypassPermissions') throw new ApiError('mode', 'No extension can choose the mode bypassPermissions. Only the user can, in the chat.');
  return parsed(schema, options ?? {}, 'startSession');
}

/** The mode of a new session: never one that allows more than the user's, and never one that asks for nothing. */
function startingMode(wish: GnomonMode | undefined, persons: PermissionMode): PermissionMode {
  if (wish === undefined) return persons === 'bypassPermissions' ? 'default' : persons;
  return STRICTEST_FIRST.indexOf(wish) < STRICTEST_FIRST.indexOf(persons) ? wish : persons;
}

/** The tools that a session of another extension has: all there are, or those that it named. Its calls pass the same gate as all. */
class ToolChoice implements SessionShape {
  private readonly names: ReadonlySet<string> | undefined;
  private builtIn: readonly Tool[] | undefined;
  readonly agents = true;

  /** @param names the only tools; absent for all. */
  constructor(names: readonly string[] | undefined) {
    this.names = names === undefined ? undefined : new Set(names);
  }

  readonly tools = (all: readonly Tool[]): readonly Tool[] => {
    // Those of its agents come with each turn.
    this.builtIn ??= all;
    return this.chosen(all);
  };

  readonly offered = (all: readonly Tool[]): readonly Tool[] => this.chosen(all);

  readonly gate = (gate: Gate): Gate => gate;

  /** The names that no tool has, once the session is there. */
  missing(offered: readonly Tool[]): readonly string[] {
    const known = new Set([AGENT_TOOL, AGENTS_TOOL, ...[...(this.builtIn ?? []), ...offered].map(({ spec }) => spec.name)]);
    return [...(this.names ?? [])].filter((name) => !known.has(name));
  }

  private chosen(all: readonly Tool[]): readonly Tool[] {
    return all.filter(({ spec }) => this.names?.has(spec.name) !== false);
  }
}
