/** Names of a server in messages for the user. */
export interface ServerNames {
  /** Name and port, such as `api.example.com`. */
  readonly host: string;
  /** The setting with its address, such as `gnomon.anthropic.baseUrl`. */
  readonly addressSetting: string;
  /** The environment variable for its key; absent when it takes none. */
  readonly keyVariable?: string;
  /** Which key is used, and whose it is, such as `work` of `Anthropic`; absent where there is only one. */
  readonly namedKey?: { readonly name: string; readonly of: string };
}
