import { createHash } from 'node:crypto';
import type { McpSecretStore } from '../../domain/mcp/sign-in.js';

/** OAuth client registration with an authorization server. */
export interface ClientIdentity {
  readonly id: string;
  readonly secret?: string;
  /** Client authentication method, if the authorization server named one. */
  readonly method?: string;
  /** From the configuration, a client ID metadata document, or registered by Gnomon. */
  readonly from: 'configuration' | 'document' | 'registration';
  /** Where answers to it come. */
  readonly redirectUri: string;
}

/** Endpoints of an authorization server that are used after a sign-in. */
export interface Authority {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly tokenMethods?: readonly string[];
  readonly revocationMethods?: readonly string[];
}

/** Tokens, as an authorization server gave them. */
export interface Tokens {
  readonly access: string;
  readonly refresh?: string;
  /** Granted scopes, separated by spaces. */
  readonly scope?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** Stored tokens and client registration for a resource. Without tokens, Gnomon is only registered there. */
export interface Grant {
  readonly authority: Authority;
  /** The resource indicator (RFC 8707). */
  readonly resource: string;
  readonly client: ClientIdentity;
  readonly tokens?: Tokens;
}

const PREFIX = 'gnomon.mcp.';

/** For whom a grant is. */
export interface GrantKey {
  readonly issuer: string;
  readonly resource: string;
}

/**
 * Grants in the secret storage, by issuer **and** resource: what one authorization server gave is never found for another, or
 * for another resource of the same one. Which of them a server uses is remembered apart, by its address. Entries that
 * cannot be read count as absent. Each secret that is read or written is reported, so that nothing shows it.
 */
export class Grants {
  constructor(
    private readonly store: McpSecretStore,
    private readonly used: Set<string>,
  ) {}

  /** The grant that a server uses. */
  async ofServer(server: URL): Promise<Grant | undefined> {
    const key = await this.read<GrantKey>(serverPlace(server), isGrantKey);
    return key === undefined ? undefined : this.load(key);
  }

  async load(key: GrantKey): Promise<Grant | undefined> {
    const grant = await this.read<Grant>(grantPlace(key), isGrant);
    if (grant === undefined || grant.authority.issuer !== key.issuer || grant.resource !== key.resource) return undefined;
    this.report(grant);
    return grant;
  }

  async save(grant: Grant): Promise<void> {
    this.report(grant);
    await this.store.store(grantPlace(keyOf(grant)), JSON.stringify(grant));
  }

  /** Saves a new grant for a server, which replaces all others for its resource. */
  async use(server: URL, grant: Grant): Promise<void> {
    await this.save(grant);
    await this.store.store(serverPlace(server), JSON.stringify(keyOf(grant)));
    for (const other of await this.placesFor(grant.resource)) if (other !== grantPlace(keyOf(grant))) await this.store.delete(other);
  }

  /** All grants for a resource, from any authorization server. */
  async forResource(resource: string): Promise<readonly Grant[]> {
    const grants: Grant[] = [];
    for (const place of await this.placesFor(resource)) {
      const grant = await this.read<Grant>(place, isGrant);
      if (grant?.resource === resource) grants.push(grant);
    }
    for (const grant of grants) this.report(grant);
    return grants;
  }

  /** Has the next sign-in register anew, and keeps the tokens: an authorization server that forgot a client often does not say so. */
  async distrustRegistration(key: GrantKey): Promise<void> {
    const grant = await this.load(key);
    if (grant?.client.from === 'registration') await this.save({ ...grant, client: { ...grant.client, redirectUri: '' } });
  }

  /** Removes a grant with what is known of the client. */
  async remove(key: GrantKey): Promise<void> {
    await this.store.delete(grantPlace(key));
  }

  /** Removes all that is stored for a server and its resource. */
  async forget(server: URL): Promise<void> {
    const key = await this.read<GrantKey>(serverPlace(server), isGrantKey);
    await this.store.delete(serverPlace(server));
    if (key !== undefined) for (const place of await this.placesFor(key.resource)) await this.store.delete(place);
  }

  private async placesFor(resource: string): Promise<readonly string[]> {
    const start = `${PREFIX}grant.${digest(resource)}.`;
    return (await this.store.keys()).filter((place) => place.startsWith(start));
  }

  private async read<T>(place: string, accepts: (value: unknown) => value is T): Promise<T | undefined> {
    const text = await this.store.get(place);
    if (text === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(text);
      return accepts(value) ? value : undefined;
    } catch {
      // Of another version, or damaged: as if the user had never signed in.
      return undefined;
    }
  }

  private report({ client, tokens }: Grant): void {
    for (const secret of [client.secret, tokens?.access, tokens?.refresh]) if (secret !== undefined) this.used.add(secret);
  }
}

/** For whom a grant is. */
export function keyOf({ authority, resource }: Grant): GrantKey {
  return { issuer: authority.issuer, resource };
}

/** Where the grant is in the secret storage; names of places are not secret, so they say nothing. */
export function grantPlace({ issuer, resource }: GrantKey): string {
  return `${PREFIX}grant.${digest(resource)}.${digest(issuer)}`;
}

function serverPlace(server: URL): string {
  return `${PREFIX}server.${digest(server.href)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isGrantKey(value: unknown): value is GrantKey {
  return isFields(value) && typeof value['issuer'] === 'string' && typeof value['resource'] === 'string';
}

function isGrant(value: unknown): value is Grant {
  if (!isFields(value) || typeof value['resource'] !== 'string') return false;
  const { authority, client, tokens } = value;
  if (!isFields(authority) || typeof authority['issuer'] !== 'string' || typeof authority['tokenEndpoint'] !== 'string') return false;
  if (!isFields(client) || typeof client['id'] !== 'string' || typeof client['redirectUri'] !== 'string') return false;
  return tokens === undefined || (isFields(tokens) && typeof tokens['access'] === 'string');
}
