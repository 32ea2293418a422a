/** Limits for the size of a server's messages, and for the duration of requests other than tool calls. Times are in milliseconds. */
export interface McpLimits {
  /** Bytes of one message; a longer one is refused, and the connection goes on. */
  readonly messageBytes: number;
  /** Time limit for the probe of a process for the modern era of the protocol. Without an answer, it counts as legacy. */
  readonly probeMs: number;
  /** Time limit for connecting. Long, because servers are often downloaded when they first start. */
  readonly connectMs: number;
  /** Time limit for one page of a list, and for other requests that the user did not make. */
  readonly requestMs: number;
  readonly pages: number;
  /** Items of one list. */
  readonly items: number;
  /** Characters of the JSON text of a tool's schema. */
  readonly schemaCharacters: number;
  readonly schemaDepth: number;
  /** Maximum number of input requests of a server within one call. */
  readonly rounds: number;
  /** Requests of a server that may be open at the same time. */
  readonly openRequests: number;
  /** Quiet time after which a changed list is reported; a list that keeps changing is reported every {@link McpLimits.changeMaxMs}. */
  readonly changeMs: number;
  readonly changeMaxMs: number;
  /** Lines of standard error output, and of the log, that are passed on in a second. */
  readonly linesPerSecond: number;
  /** Characters of such a line. */
  readonly lineCharacters: number;
}

/** Default limits: generous for well-behaved servers, and safe against others. */
export const DEFAULT_LIMITS: McpLimits = {
  messageBytes: 8 * 1024 * 1024,
  probeMs: 3_000,
  connectMs: 10 * 60_000,
  requestMs: 60_000,
  pages: 100,
  items: 10_000,
  schemaCharacters: 256 * 1024,
  schemaDepth: 64,
  rounds: 8,
  openRequests: 8,
  changeMs: 250,
  changeMaxMs: 2_000,
  linesPerSecond: 100,
  lineCharacters: 4_000,
};
