/** How much a server may send, and how long what is not the user's own call may take. Times are in milliseconds. */
export interface McpLimits {
  /** Bytes of one message; a longer one is refused, and the connection goes on. */
  readonly messageBytes: number;
  /** How long a process may take to answer whether it speaks the modern era; then it is taken for one of the legacy era. */
  readonly probeMs: number;
  /** How long connecting may take in all. Long, because servers are often downloaded when they first start. */
  readonly connectMs: number;
  /** How long one page of a list, and what is not asked by a user, may take. */
  readonly requestMs: number;
  readonly pages: number;
  /** Items of one list. */
  readonly items: number;
  /** Characters of the JSON text of a tool's schema. */
  readonly schemaCharacters: number;
  readonly schemaDepth: number;
  /** How often a server may ask for more input within one call. */
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

/** What is good for servers that mean well, and enough against others. */
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
