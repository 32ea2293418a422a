/** How one server is called in the words for a user. */
export interface ServerNames {
  /** Name and port, such as `api.example.com`. */
  readonly host: string;
  /** The setting that holds its address, such as `gnomon.anthropic.baseUrl`. */
  readonly addressSetting: string;
  /** The environment variable that can hold its key; absent when it takes none. */
  readonly keyVariable?: string;
}
