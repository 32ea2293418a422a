import { randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import {
  agent,
  type AgentApp,
  type AgentContext,
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
import { createNodeFileLayer } from '../../node/files/node-file-layer.js';
import { systemClock } from '../../node/system-clock.js';
import { createSessions } from '../../session/create-sessions.js';
import { redact, secretsOf } from '../../text/redact.js';
import type { Continued, RunOptions } from '../flags.js';
import type { ProgramParts } from '../open-host.js';
import { placesOf } from '../places.js';
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
  private readonly sessions = new Map<string, { readonly session: AcpSession; readonly cwd: string }>();
  private abilities: EditorAbilities = abilitiesOf();

  constructor(private readonly deps: AcpAgentDeps) {}

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
      .onRequest(session.setMode, ({ params }) => this.answering(() => this.find(params.sessionId).setMode(params.modeId)))
      .onRequest(session.setConfigOption, ({ params }) => this.answering(() => this.setOption(params)))
      .onRequest(session.prompt, ({ params, signal }) =>
        this.answering(async () => ({ stopReason: await this.find(params.sessionId).prompt(params.prompt, signal) })),
      )
      .onNotification(session.cancel, ({ params }) => this.sessions.get(params.sessionId)?.session.cancel());
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.sessions.values()].map(({ session }) => session.close()));
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
    return found.session;
  }

  private async create(asked: NewSessionRequest, client: AgentContext): Promise<NewSessionResponse> {
    const sessionId = randomUUID();
    return { sessionId, ...(await this.open(sessionId, { kind: 'new' }, asked, client)).state };
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

  /** A session that is open here already, or a stored one. */
  private async reopen({ sessionId: id, ...asked }: AskedFolders & { readonly sessionId: string }, client: AgentContext): Promise<AcpSession> {
    const open = this.sessions.get(id);
    if (open !== undefined) return open.session;
    const { given } = folderAt(asked.cwd);
    if (!(await this.list(given)).some(({ sessionId }) => sessionId === id)) throw RequestError.sessionNotFound(id);
    return this.open(id, { kind: 'named', id }, asked, client);
  }

  private async open(id: string, continued: Continued, asked: AskedFolders, client: AgentContext): Promise<AcpSession> {
    const { program, options, startedWith, environment, log, keys } = this.deps;
    const folder = folderAt(asked.cwd);
    const folders = [folder, ...(asked.additionalDirectories ?? []).map(folderAt)];
    const places = placesOf(folder.real, environment);
    const stored = { id, ...(continued.kind === 'new' ? {} : { continues: id }) };
    const driven = broughtBy(asked.mcpServers ?? []);
    const allowed = { trusted: options.trustsProject, bypassConfirmed: options.mayBypass };
    const wish = { places, session: stored, ...allowed, startedWith, settings: {}, log, keys, driven };
    const session = await AcpSession.open({ program, options, wish, client, abilities: this.abilities, id, continued, folders });
    this.sessions.set(id, { session, cwd: asked.cwd });
    return session;
  }

  /** The stored sessions of a folder; without one, those of all folders that this program knows: the one that it was started in, and those of its sessions. */
  private async list(cwd: string | undefined): Promise<SessionInfo[]> {
    const asked = cwd === undefined ? [this.deps.folder, ...[...this.sessions.values()].map((open) => open.cwd)] : [cwd];
    const listed = await Promise.all([...new Set(asked)].map((each) => this.stored(folderAt(each))));
    return listed.flat();
  }

  private async stored({ given, real }: NamedFolder): Promise<SessionInfo[]> {
    const { environment, log } = this.deps;
    const folder = join(placesOf(real, environment).project, 'sessions');
    const summaries = await createSessions({ folder, files: createNodeFileLayer(), clock: systemClock, log }).store.list();
    return summaries.map(({ id, title, updatedAt }) => ({ sessionId: id, cwd: given, title, updatedAt }));
  }
}

/** @throws RequestError for what is no absolute path of a folder */
function folderAt(path: string): NamedFolder {
  if (!isAbsolute(path)) throw RequestError.invalidParams({ cwd: path }, 'The path of a folder has to be absolute.');
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return { given: path, real };
  } catch {
    // Told below.
  }
  throw RequestError.invalidParams({ cwd: path }, `There is no folder ${path}.`);
}
