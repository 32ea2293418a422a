import { present } from '../../domain/present.js';
import { t } from '../../domain/l10n.js';
import { serverPrefix } from '../../domain/mcp/tool-name.js';
import type { Tool } from '../../domain/tool/tool.js';
import { textTokens } from '../../text/text-tokens.js';
import { createCallTool } from './call-tool.js';
import { createFindTools } from './find-tools.js';
import { CALL_TOOL, FIND_TOOLS } from './meta-tools.js';
import { createServerTools, type RefusedTool, type ServerTool, type ToolServer } from './server-tools.js';
import { ToolIndex } from './tool-index.js';

/** Tokens of definitions from which on they are deferred. */
const MAX_LOADED_TOKENS = 1_500;

/** Whether requests tell of the tools of a server: when there are few, not before a search, always, or never, and they cannot be called either. */
export const TOOL_LOADINGS = ['auto', 'defer', 'always', 'off'] as const;
/** One of {@link TOOL_LOADINGS}. */
export type ToolLoading = (typeof TOOL_LOADINGS)[number];

/** A server, and what the user wants of its tools. */
export interface OfferedServer extends ToolServer {
  readonly loading: ToolLoading;
  /** The server's instructions for models. */
  readonly instructions?: string;
}

/** Tools of a server: those that are offered, and those that are not, with the reason. */
export interface ServerOffer {
  readonly id: string;
  readonly tools: readonly ServerTool[];
  readonly refused: readonly RefusedTool[];
  /** Whether models learn of them by searching only. */
  readonly deferred: boolean;
  /** Tokens of the definitions. */
  readonly tokens: number;
}

/** The tools of all servers. */
export interface Toolset {
  /** All that can be called, in an order that stays the same while they do, with the tools that find and call deferred ones. */
  readonly tools: readonly Tool[];
  readonly servers: readonly ServerOffer[];
}

/**
 * Makes the tools of the agent of those of several servers. Of two servers whose tools would have the same names, the first one has
 * them. What is deferred depends on the definitions alone, so that it is the same for as long as they are.
 * @param reserved names of other tools, such as the built-in ones
 * @param mayUse whether the agent that works may use a tool, by its name; others are neither found, called, nor mentioned
 */
export function createToolset(
  servers: readonly OfferedServer[],
  reserved: ReadonlySet<string> = new Set(),
  mayUse: (name: string) => boolean = () => true,
): Toolset {
  const taken = new Set([...reserved, FIND_TOOLS, CALL_TOOL]);
  const owners = new Map<string, string>();
  const read = servers.map((server) => ({ server, ...toolsOf(server, { taken, owners, mayUse }) }));
  const loaded = read.filter(({ server }) => server.loading === 'auto' || server.loading === 'always');
  const tooMany = loaded.reduce((total, { tokens }) => total + tokens, 0) > MAX_LOADED_TOKENS;
  const offers = read.map(({ server, ...rest }): ServerOffer => ({
    id: server.id,
    ...rest,
    deferred: server.loading === 'defer' || (server.loading === 'auto' && tooMany),
  }));
  const listed = servers.filter((_server, index) => offers[index]?.deferred === true && offers[index].tools.length > 0);
  return { tools: offeredTools(offers, listed), servers: offers };
}

/** Names that are in use already. */
interface Taken {
  /** Names of tools. */
  readonly taken: Set<string>;
  /** Servers by what the names of their tools begin with. */
  readonly owners: Map<string, string>;
}

interface Offering extends Taken {
  readonly mayUse: (name: string) => boolean;
}

function toolsOf(server: OfferedServer, { taken, owners, mayUse }: Offering): Pick<ServerOffer, 'tools' | 'refused' | 'tokens'> {
  if (server.loading === 'off') return { tools: [], refused: [], tokens: 0 };
  const prefix = serverPrefix(server.id);
  const owner = owners.get(prefix);
  // Rules about one server must not be about another.
  if (owner !== undefined)
    return {
      tools: [],
      refused: server.tools.map(({ name }) => ({
        name,
        reason: t('Its name would begin like those of the server {0}: {1}. Rename one of the servers.', owner, prefix),
      })),
      tokens: 0,
    };
  owners.set(prefix, server.id);
  const { tools: all, refused } = createServerTools(server, taken);
  // Names are assigned as if all were there: a tool has one name, whichever agent works.
  for (const { tool } of all) taken.add(tool.spec.name);
  const tools = all.filter(({ tool }) => mayUse(tool.spec.name));
  return { tools, refused, tokens: tools.reduce((total, { tool }) => total + textTokens(JSON.stringify(tool.spec)), 0) };
}

function offeredTools(offers: readonly ServerOffer[], listed: readonly OfferedServer[]): readonly Tool[] {
  const all = offers.flatMap(({ tools, deferred }) =>
    tools.map(({ tool }): Tool => (deferred ? { ...tool, spec: { ...tool.spec, deferral: 'deferred' } } : tool)),
  );
  const inOrder = all.sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1));
  if (listed.length === 0) return inOrder;
  const index = new ToolIndex(offers.flatMap(({ id, tools, deferred }) => (deferred ? tools.map((tool) => ({ ...tool, server: id })) : [])));
  const servers = listed.map(({ id, instructions }) => ({
    id,
    tools: offers.find((offer) => offer.id === id)?.tools.length ?? 0,
    ...present({ instructions }),
  }));
  return [createFindTools(index, servers), createCallTool(inOrder, index), ...inOrder];
}
