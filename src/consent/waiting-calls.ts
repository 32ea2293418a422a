import type { Ask } from '../domain/tool/asks.js';

/** A call that continues only when the user has done something, or what an MCP server asks. */
export interface WaitingCall {
  readonly id: string;
  readonly kind: Ask['kind'] | 'server';
}

/** Pending requests of MCP servers, which need the user beside the calls of conversations. */
export interface OtherQuestions {
  /** Requests in a conversation, oldest first. */
  of(session: string): readonly WaitingCall[];
  /** Calls back after each change. Returns how to stop that. */
  onDidChange(listener: () => void): () => void;
}

/** Where nothing is asked. */
export const NOTHING_BESIDES: OtherQuestions = { of: () => [], onDidChange: () => () => undefined };
