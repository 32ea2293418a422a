/** Diagnostic output for the user's log. Never contains keys or message contents. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}
