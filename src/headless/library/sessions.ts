import * as z from 'zod/mini';
import { AbortError } from '../../domain/errors.js';
import { check } from './check-options.js';
import { InvalidInputError, MessageParseError } from './errors.js';
import type { Options } from './options.js';
import type { JsonObject } from './parse-message.js';
import { problemOf } from './problem.js';
import { transportTo } from './start-cli.js';

/** Which stored sessions are meant, and by which program they are looked after. Folders with what is kept for a user are found by variables of `env`. */
export type SessionsOptions = Pick<Options, 'cwd' | 'sessionStorage' | 'env' | 'user' | 'maxBufferSize' | 'stderr' | 'signal' | 'cliPath' | 'transport'>;

/** A stored session. */
export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  /** Times: ISO 8601, in UTC. */
  readonly updatedAt: string;
  readonly createdAt?: string;
  readonly messageCount: number;
  /** `provider/model` that was used last. */
  readonly model?: string;
  /** US dollars of all of it; absent where not known. */
  readonly costUsd?: number;
  readonly pinned?: boolean;
  /** The session that it was forked from, and how many of its messages it begins with. */
  readonly parent?: { readonly id: string; readonly count: number };
  /** Whether another program or window has it open. */
  readonly elsewhere?: boolean;
  /** Why it cannot be read, as a sentence; absent where it can. */
  readonly problem?: string;
}

const sessionId = z.string().check(z.regex(/^[\w.]/));

const info: z.ZodMiniType<SessionInfo> = z.looseObject({
  id: z.string(),
  title: z.string(),
  updatedAt: z.string(),
  createdAt: z.exactOptional(z.string()),
  messageCount: z.number().check(z.gte(0)),
  model: z.exactOptional(z.string()),
  costUsd: z.exactOptional(z.number()),
  pinned: z.exactOptional(z.boolean()),
  parent: z.exactOptional(z.looseObject({ id: z.string(), count: z.number() })),
  elsewhere: z.exactOptional(z.boolean()),
  problem: z.exactOptional(z.string()),
});

/**
 * The sessions of a folder, the newest first.
 * @throws ProcessFailedError where the program fails, with its reason in `stderr`, such as that VS Code keeps nothing for the folder; and what a run throws
 */
export function listSessions(options: SessionsOptions = {}): Promise<readonly SessionInfo[]> {
  return told(['list'], options);
}

/**
 * Copies a session, which stays as it is. The copy can be gone on with by `resume`.
 * @param id of the session, or the beginning of it
 * @returns the copy
 * @throws ProcessFailedError as {@link listSessions}, also where there is no such session, or it is damaged
 */
export async function forkSession(id: string, options: SessionsOptions = {}): Promise<SessionInfo> {
  // What looks like a flag is no id, and from JavaScript anything can come.
  if (!z.safeParse(sessionId, id).success) throw new InvalidInputError(`“${id}” cannot be the id of a session.`);
  const [copy] = await told(['fork', id], options);
  if (copy === undefined) throw new MessageParseError('Gnomon’s program does not say which session the copy is.', undefined);
  return copy;
}

async function told(command: readonly string[], options: SessionsOptions): Promise<readonly SessionInfo[]> {
  check(options, ['cwd', 'sessionStorage', 'env', 'user', 'maxBufferSize', 'stderr', 'signal', 'cliPath', 'transport']);
  const { signal, sessionStorage = 'own' } = options;
  const transport = transportTo(['sessions', ...command, '--json', `--session-storage=${sessionStorage}`], options);
  const stop = (): void => void transport.close();
  const throwIfAborted = (): void => {
    if (signal?.aborted === true) throw new AbortError('It was aborted.', signal.reason);
  };
  try {
    throwIfAborted();
    signal?.addEventListener('abort', stop, { once: true });
    await transport.connect();
    await transport.endInput();
    const sessions: SessionInfo[] = [];
    for await (const raw of transport.readMessages()) sessions.push(sessionIn(raw));
    throwIfAborted();
    return sessions;
  } finally {
    signal?.removeEventListener('abort', stop);
    await transport.close();
  }
}

function sessionIn(raw: JsonObject): SessionInfo {
  const { data, error } = z.safeParse(info, raw);
  if (data !== undefined) return data;
  throw new MessageParseError('Gnomon’s program tells of a session what cannot be read.', raw, problemOf(error.issues).path);
}
