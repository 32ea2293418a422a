/**
 * A server of the Model Context Protocol within this process: the port that `toolServer` implements. One that was made with another library can be
 * behind it as well.
 */
export interface McpServer {
  /** Letters, digits, `.`, `_`, and `-`: its tools are `mcp__<name>__<tool>` in rules and messages. */
  readonly name: string;
  /**
   * Takes a message of JSON-RPC 2.0, as UTF-8. Several can be open at a time.
   * @param signal aborts when no answer is needed any more: the call was canceled, or the run has ended
   * @returns the answer, of 8,388,608 characters at most; nothing for a notification
   * @throws what the client gets as an error
   */
  handleMessage(message: Uint8Array, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** The run that it was given to has ended. One that is given to several runs is closed by each. */
  close(): Promise<void>;
}
