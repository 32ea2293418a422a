import { pathToFileURL } from 'node:url';
import { AbortError, errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { hasToolCalls, textContent } from '../../domain/model/message.js';
import type { ModelInfo, Provider } from '../../domain/model/provider.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { SampleCompletion, SampleModel } from '../../mcp/asking/sampling.js';
import type { Folders } from '../../domain/host/folders.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { McpRoot } from '../../domain/mcp/request.js';
import { type AskingServer, McpAsking } from '../../mcp/asking/asking.js';
import { rootsOf } from '../../mcp/asking/roots.js';
import type { RunningCalls } from '../../mcp/asking/running-calls.js';
import { isAnswer } from '../../protocol/form-check.js';
import type { OtherQuestions } from '../../consent/waiting-calls.js';
import type { AgentHostPorts, ServerPorts } from '../host-ports.js';
import type { OpenSessions } from '../open-sessions.js';

/** A chat, as far as its model answers servers. */
export type SampledSession = Pick<AgentSession, 'model' | 'ask'>;

/** Services for sampling requests: looks up the model of the chat, and logs failures. */
export interface SampleModelDeps {
  /** Finds a model by its name `provider/model`. */
  readonly choose: (key: string) => Promise<{ readonly provider: Provider; readonly model: ModelInfo }>;
  readonly log: Log;
}

/** Services of the window that server requests use: open sessions, running calls, models, and the browser. */
export interface WindowAskingDeps extends SampleModelDeps {
  readonly ports: Pick<AgentHostPorts, 'clock' | 'folders' | 'trust'> & { readonly servers: Pick<ServerPorts, 'openExternal'> };
  readonly sessions: Pick<OpenSessions, 'shown' | 'tell'> & { find(id: string): SampledSession | undefined };
  /** The calls that servers are working on; each call of a chat runs in it. */
  readonly calls: RunningCalls;
  /** A server of the window. */
  readonly stateOf: (id: string) => McpServerState | undefined;
  /** Whether servers may ask for answers of models. */
  readonly sampling: () => 'ask' | 'off';
}

/** Handles elicitation and sampling requests of this window's servers. */
export function createWindowAsking(deps: WindowAskingDeps): McpAsking {
  const { ports, sessions, calls, stateOf, sampling } = deps;
  const { clock, folders, trust, servers } = ports;
  return new McpAsking({
    calls,
    clock,
    serverOf: (id) => askingServer(stateOf(id)),
    shownSession: () => sessions.shown,
    isAnswer,
    openExternal: servers.openExternal,
    roots: () => rootsOf(foldersFor(folders), trust.trusted()),
    sampling,
    modelOf: async (id) => {
      const session = sessions.find(id);
      return session === undefined ? undefined : sampleModelOf(session, deps);
    },
    tell: (session, text) => sessions.tell(session, text),
  });
}

/** Pending server requests, for everything that tracks what needs the user. */
export function besidesOf(asking: McpAsking): OtherQuestions {
  return { of: (session) => asking.open(session).map(({ id }) => ({ id, kind: 'server' })), onDidChange: asking.onDidChange };
}

function askingServer(state: McpServerState | undefined): AskingServer | undefined {
  if (state === undefined) return undefined;
  const { name, config } = state.entry;
  const isRemote = config.type === 'http' || config.type === 'sse';
  // A host name with a variable in it is not a valid one.
  return isRemote && URL.canParse(config.url) ? { name, host: new URL(config.url).hostname } : { name };
}

function foldersFor(folders: Folders): readonly McpRoot[] {
  return folders.all().map(({ uri, path, name }) => ({ uri: path === undefined ? uri : pathToFileURL(path).href, name }));
}

/** Has the model of a chat answer what servers ask it, each in a request of its own. What it uses is counted as the chat's. */
export async function sampleModelOf(session: SampledSession, { choose, log }: SampleModelDeps): Promise<SampleModel> {
  const { provider, model } = await choose(modelKey(session.model));
  return {
    info: model,
    async complete(request, signal): Promise<SampleCompletion> {
      const answer = await session.ask(request, { provider, model, signal });
      if (signal.aborted) throw new AbortError();
      const { message, usage, error } = answer;
      if (error !== undefined) log.warn(`A model did not answer an MCP server: ${errorMessage(error)}`);
      // Errors between Gnomon and a provider are hidden from the server.
      if (message === undefined || error !== undefined || hasToolCalls(message))
        return { text: '', cutOff: false, usage, problem: 'The model did not answer.' };
      return { text: textContent(message), cutOff: message.stopReason === 'length', usage };
    },
  };
}
