/** A request over HTTP, as `fetch` makes it. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Makes the function with which everything about signing in to a server is requested. Its addresses come from outside, so
 * it refuses those that lead where the server itself is not, such as to this machine or into a private network.
 */
export type McpSignInFetch = (server: URL) => McpFetch;

/** Where tokens are kept: VS Code's secret storage. All windows share it, and nothing in it can be changed atomically. */
export interface McpSecretStore {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  keys(): PromiseLike<readonly string[]>;
}

/** Where the browser brings the answer of an authorization server. Serves one sign-in. */
export interface McpRedirectReceiver {
  /** Address that the authorization server sends the browser to. */
  readonly redirectUri: string;
  /**
   * The parameters of the answer with this `state`. All others are ignored, and answers that come before this is called are refused.
   * @throws AbortError when the signal is aborted; McpError `timeout` when no answer came for minutes.
   */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  /** Stops listening. Does nothing the second time. */
  close(): void;
}

/** Confirmation that the user gives before a browser is opened. All of it but `server` and `url` comes from outside. */
export interface McpSignInQuestion {
  /** Name of the server in its configuration. */
  readonly server: string;
  readonly url: string;
  /** Host of the page that would be opened, with its port where it is not the usual one. */
  readonly host: string;
  /** The permissions that Gnomon would ask for; empty: those that the authorization server thinks fit. */
  readonly scopes: readonly string[];
}

/** Ports that sign-in uses: the confirmation, the browser, and the redirect. */
export interface McpSignInPorts {
  /** Whether the user agrees. The signal is aborted when it is no longer of interest. */
  readonly confirm: (question: McpSignInQuestion, signal: AbortSignal) => Promise<boolean>;
  /** Opens an `https:` address, or an `http:` one of this machine, in the browser. Whether that worked. */
  readonly openExternal: (url: string) => Promise<boolean>;
  /** @param previous the address that the authorization server knows from the last time, best used again if that is possible */
  readonly receive: (previous: string | undefined) => Promise<McpRedirectReceiver>;
}

/** Whether a host is this machine, by how it is written. @param host `URL.hostname`, in which addresses have one form each */
export function isThisMachine(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(name) ||
    name === '[::1]' ||
    /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(name)
  );
}
