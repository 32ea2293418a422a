import { randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  agent,
  type AgentApp,
  type AgentContext,
  type DeleteSessionResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  methods,
  type NewSessionRequest,
  type NewSessionResponse,
  RequestError,
  type SessionInfo,
  type SetSessionConfigOptionRequest,
  type SetSessionConfigOptionResponse,
  type McpServer,
} from '@agentclientprotocol/sdk';
import { errorMessage } from '../../domain/errors.js';
import type { StartConfiguration } from '../../domain/host/start-configuration.js';
import type { Log } from '../../domain/log.js';
import { present } from '../../domain/present.js';
import type { Sessions } from '../../session/create-sessions.js';
import { redact, secretsOf } from '../../text/redact.js';
import type { Continued, RunOptions } from '../flags.js';
import type { ProgramParts } from '../open-host.js';
import { placesOf } from '../places.js';
import { sessionsIn, trashOwn } from '../storage/session-places.js';
import { AcpSession } from './acp-session.js';
import { broughtBy } from './editor-servers.js';
import type { NamedFolder } from './editor-paths.js';
import { abilitiesOf, type EditorAbilities, initialized } from './v1.js';

/** The program, its command line, and the surroundings that an agent of an editor is made from. */
export interface AcpAgentDeps {
  readonly program: ProgramParts;
  readonly options: RunOptions;
  /** What the command line says about configuration, for every session. */
  readonly startedWith: StartConfiguration;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder that the program was started in. */
  readonly folder: string;
  /** Such as `1.2.0`. */
  readonly version: string;
  readonly log: Log;
  /** Takes the keys that are used, so that what is written can be cleaned of them. */
  readonly keys: Set<string>;
}

/** Folders of a session, as an editor names them. */
interface AskedFolders {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
}

/** Gnomon for an editor: its sessions, side by side. */
export class AcpAgent {
  private readonly sessions = new Map<string, AcpSession>();
  /** Those that are being opened, by their ids. */
  private readonly opening = new Map<string, Promise<AcpSession>>();
  /** The folders that sessions were opened in, or listed of, by the names that the editor has for them. */
  private readonly folders: Set<string>;
  private abilities: EditorAbilities = abilitiesOf();

  constructor(private readonly deps: AcpAgentDeps) {
    this.folders = new Set([deps.folder]);
  }

  /** What is done for each request. A cancellation comes last: one that follows a prompt at once must not overtake it. */
  app(): AgentApp {
    const { initialize, session } = methods.agent;
    return agent({ name: 'gnomon' })
      .onRequest(initialize, ({ params }) => {
        this.abilities = abilitiesOf(params.clientCapabilities);
        return initialized(this.deps.version);
      })
      .onRequest(session.new, ({ params, client }) => this.answering(() => this.create(params, client)))
      .onRequest(session.load, ({ params, client }) => this.answering(() => this.load(params, client)))
      .onRequest(session.resume, ({ params, client }) => this.answering(async () => (await this.reopen(params, client)).state))
      .onRequest(session.list, ({ params }) => this.answering(async () => ({ sessions: await this.list(params.cwd ?? undefined) })))
      .onRequest(session.close, ({ params }) => this.answering(() => this.closeOne(params.sessionId)))
      .onRequest(session.delete, ({ params }) => this.answering(() => this.delete(params.sessionId)))
      .onRequest(session.setMode, ({ params }) => this.answering(() => this.find(params.sessionId).setMode(params.modeId)))
      .onRequest(session.setConfigOption, ({ params }) => this.answering(() => this.setOption(params)))
      .onRequest(session.prompt, ({ params, signal }) =>
        this.answering(async () => ({ stopReason: await this.find(params.sessionId).prompt(params.prompt, signal) })),
      )
      .onNotification(session.cancel, ({ params }) => this.sessions.get(params.sessionId)?.cancel());
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.allSettled(this.opening.values());
    await Promise.allSettled([...this.sessions.values()].map((session) => session.close()));
    this.sessions.clear();
  }

  /** What is thrown becomes a sentence for the user. */
  private async answering<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RequestError) throw error;
      throw new RequestError(-32603, redact(errorMessage(error), secretsOf(this.deps.keys)));
    }
  }

  private find(sessionId: string): AcpSession {
    const found = this.sessions.get(sessionId);
    if (found === undefined) throw RequestError.sessionNotFound(sessionId);
    return found;
  }

  private async create(asked: NewSessionRequest, client: AgentContext): Promise<NewSessionResponse> {
    const sessionId = randomUUID();
    const session = greetedLater(await this.openOnce(sessionId, () => this.open(sessionId, undefined, asked, client)));
    return { sessionId, ...session.state };
  }

  private async load(asked: LoadSessionRequest, client: AgentContext): Promise<LoadSessionResponse> {
    const session = await this.reopen(asked, client);
    await session.replay();
    return session.state;
  }

  private async setOption({ sessionId, configId, value }: SetSessionConfigOptionRequest): Promise<SetSessionConfigOptionResponse> {
    const session = this.find(sessionId);
    await session.setOption(configId, value);
    return { configOptions: session.state.configOptions };
  }

  private async closeOne(sessionId: string): Promise<void> {
    const session = this.find(sessionId);
    this.sessions.delete(sessionId);
    await session.close();
  }

  /** Moves a session to the trash, out of which the command line takes it back; one that is not there is none afterwards, either. */
  private async delete(id: string): Promise<DeleteSessionResponse> {
    if (this.sessions.has(id)) await this.closeOne(id);
    for (const folder of this.known()) {
      const { store, library } = this.storeOf(folder);
      if ((await store.list()).some((stored) => stored.id === id)) await trashOwn(library, id);
    }
    return {};
  }

  /** A session that is open here already, or a stored one. */
  private async reopen({ sessionId: id, ...asked }: AskedFolders & { readonly sessionId: string }, client: AgentContext): Promise<AcpSession> {
    const open = this.sessions.get(id);
    if (open !== undefined) return greetedLater(open);
    const opened = this.openOnce(id, async () => {
      const stored = (await this.stored(folderAt(asked.cwd))).find(({ sessionId }) => sessionId === id);
      if (stored === undefined) throw RequestError.sessionNotFound(id);
      return this.open(id, stored, asked, client);
    });
    return greetedLater(await opened);
  }

  /** A session is opened once for all requests that ask for it meanwhile. */
  private openOnce(id: string, open: () => Promise<AcpSession>): Promise<AcpSession> {
    const opening = this.opening.get(id) ?? open().finally(() => this.opening.delete(id));
    this.opening.set(id, opening);
    return opening;
  }

  /** @param stored the session that is continued; absent for a new one */
  private async open(id: string, stored: SessionInfo | undefined, asked: AskedFolders, client: AgentContext): Promise<AcpSession> {
    const { program, options, startedWith, environment, log, keys } = this.deps;
    const folder = folderAt(asked.cwd);
    const folders = [folder, ...(asked.additionalDirectories ?? []).map(folderAt)];
    const places = placesOf(folder.real, environment);
    const isNew = stored === undefined;
    const driven = broughtBy(asked.mcpServers ?? []);
    const allowed = { trusted: options.trustsProject, bypassConfirmed: options.mayBypass };
    const wish = { places, session: { id, ...(isNew ? {} : { continues: id }) }, ...allowed, startedWith, settings: {}, log, keys, driven };
    const continued: Continued = isNew ? { kind: 'new' } : { kind: 'named', id };
    const title = stored?.title ?? undefined;
    const session = await AcpSession.open({ program, options, wish, client, abilities: this.abilities, id, continued, folders, ...present({ title }) });
    this.sessions.set(id, session);
    this.folders.add(asked.cwd);
    return session;
  }

  /** The stored sessions of a folder; without one, those of all that this program knows: the one that it was started in, and those that it was asked about. */
  private async list(cwd: string | undefined): Promise<SessionInfo[]> {
    const asked = cwd === undefined ? this.known() : [folderAt(cwd)];
    if (cwd !== undefined) this.folders.add(cwd);
    return (await Promise.all(asked.map((folder) => this.stored(folder)))).flat();
  }

  /** The folders that this program knows and that are still there. */
  private known(): readonly NamedFolder[] {
    return [...this.folders].flatMap((path) => folderIfThere(path) ?? []);
  }

  private async stored(folder: NamedFolder): Promise<SessionInfo[]> {
    const summaries = await this.storeOf(folder).store.list();
    return summaries.map(({ id, title, updatedAt }) => ({ sessionId: id, cwd: folder.given, title, updatedAt }));
  }

  private storeOf({ real }: NamedFolder): Sessions {
    return sessionsIn(placesOf(real, this.deps.environment), this.deps.log);
  }
}

/** Has a session tell of itself behind the answer that names it: before, the editor does not know it. */
function greetedLater(session: AcpSession): AcpSession {
  setImmediate(() => session.greet());
  return session;
}

/** @throws RequestError for what is no absolute path of a folder */
function folderAt(path: string): NamedFolder {
  if (!isAbsolute(path)) throw RequestError.invalidParams({ cwd: path }, 'The path of a folder has to be absolute.');
  const found = folderIfThere(path);
  if (found === undefined) throw RequestError.invalidParams({ cwd: path }, `There is no folder ${path}.`);
  return found;
}

function folderIfThere(path: string): NamedFolder | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? { given: path, real } : undefined;
  } catch {
    return undefined;
  }
}
