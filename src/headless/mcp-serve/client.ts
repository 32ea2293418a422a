import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, type McpRequestContext, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { shownLine } from '../shown.js';

/** The client of a connection, as far as a call depends on it. */
export interface Client {
  readonly era: McpRequestContext['era'];
  /** How it names itself, in a line. */
  readonly words: string;
  /** Whether it shows forms to its user. */
  readonly canAsk: boolean;
}

/** Characters of a name and a version. */
const MAX_NAME = 60;
const MAX_VERSION = 30;

const infoSchema = z.object({ name: z.string(), version: z.optional(z.string()) });
const capabilitiesSchema = z.object({ elicitation: z.optional(z.object({ form: z.optional(z.unknown()), url: z.optional(z.unknown()) })) });

/** The client of a request: what it said of itself in the handshake, or from revision 2026-07-28 on with each request. */
export function clientOf(server: McpServer, era: Client['era'], { mcpReq }: ServerContext): Client {
  const { info, capabilities } = era === 'modern' ? saidIn(mcpReq.envelope ?? {}) : saidBefore(server);
  return { era, words: wordsFor(info), canAsk: showsForms(capabilities) };
}

/** What a client says of itself, not checked yet. */
interface Said {
  readonly info: unknown;
  readonly capabilities: unknown;
}

function saidIn(envelope: Readonly<Record<string, unknown>>): Said {
  return { info: envelope[CLIENT_INFO_META_KEY], capabilities: envelope[CLIENT_CAPABILITIES_META_KEY] };
}

function saidBefore({ server }: McpServer): Said {
  // oxlint-disable-next-line typescript/no-deprecated -- clients of earlier revisions say it nowhere else
  return { info: server.getClientVersion(), capabilities: server.getClientCapabilities() };
}

/** A client that says nothing of modes has forms (revision 2025-11-25, “Elicitation”, “Capabilities”). */
function showsForms(said: unknown): boolean {
  const elicitation = capabilitiesSchema.safeParse(said).data?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function wordsFor(said: unknown): string {
  const plain = (text: string, most: number): string => shownLine(text.replaceAll(/[^\p{L}\p{N} ._@/+-]/gu, '')).slice(0, most);
  const { name = '', version = '' } = infoSchema.safeParse(said).data ?? {};
  const shown = plain(name, MAX_NAME);
  return shown === '' ? 'A program' : `${shown} ${plain(version, MAX_VERSION)}`.trim();
}
