import { present } from '../../domain/present.js';
import { pathToFileURL } from 'node:url';
import type { Clock } from '../../domain/clock.js';
import type { Folders } from '../../domain/host/folders.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { McpRoot } from '../../domain/mcp/request.js';
import { type AskingServer, McpAsking } from '../../mcp/asking/asking.js';
import { rootsOf } from '../../mcp/asking/roots.js';
import type { RunningCalls } from '../../mcp/asking/running-calls.js';
import type { ViewElicitation } from '../../protocol/elicitation.js';
import { isAnswer } from '../../protocol/form-check.js';
import type { OtherQuestions } from '../../consent/waiting-calls.js';
import { type SampledSession, sampleModelOf, type SampleModelDeps } from './sample-model.js';

/** Dependencies of {@link createWindowAsking}. */
export interface WindowAskingDeps extends SampleModelDeps {
  readonly clock: Clock;
  /** The calls that servers are working on; each call of a chat runs in it. */
  readonly calls: RunningCalls;
  /** A server of the window. */
  readonly stateOf: (id: string) => McpServerState | undefined;
  /** The chat of the pane that the user worked in last. */
  readonly shownSession: () => string;
  /** A chat that is open. */
  readonly sessionOf: (id: string) => SampledSession | undefined;
  readonly folders: Folders;
  readonly trusted: () => boolean;
  /** Whether servers may ask for answers of models. */
  readonly sampling: () => 'ask' | 'off';
  /** Opens an address in the browser of the user, who has agreed to it. */
  readonly openExternal: (url: string) => Promise<boolean>;
  /** Shows a sentence to the user in a chat. */
  readonly tell: (session: string, text: string) => void;
}

/** What the servers of this window may ask of the user and of the models of its chats. */
export function createWindowAsking(deps: WindowAskingDeps): McpAsking {
  const { calls, clock, stateOf, shownSession, sessionOf, folders, trusted, sampling, openExternal, tell } = deps;
  return new McpAsking({
    calls,
    clock,
    serverOf: (id) => askingServer(stateOf(id)),
    shownSession,
    isAnswer,
    openExternal,
    roots: () => rootsOf(foldersFor(folders), trusted()),
    sampling,
    modelOf: async (id) => {
      const session = sessionOf(id);
      return session === undefined ? undefined : sampleModelOf(session, deps);
    },
    tell,
  });
}

/** What pages show of what is asked in a chat. */
export function elicitationsOf(asking: McpAsking, session: string): readonly ViewElicitation[] {
  return asking.open(session).map(({ id, server, asked, ownHost }) => ({ id, server, asked, ...present({ ownHost }) }));
}

/** What is asked, for all that keeps track of what waits for the user. */
export function besidesOf(asking: McpAsking): OtherQuestions {
  return { of: (session) => asking.open(session).map(({ id }) => ({ id, kind: 'server' })), onDidChange: asking.onDidChange };
}

function askingServer(state: McpServerState | undefined): AskingServer | undefined {
  if (state === undefined) return undefined;
  const { name, config } = state.entry;
  const isRemote = config.type === 'http' || config.type === 'sse';
  // A host with a variable in it is none.
  return isRemote && URL.canParse(config.url) ? { name, host: new URL(config.url).hostname } : { name };
}

function foldersFor(folders: Folders): readonly McpRoot[] {
  return folders.all().map(({ uri, path, name }) => ({ uri: path === undefined ? uri : pathToFileURL(path).href, name }));
}
