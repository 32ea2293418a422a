import type { ModelInfo } from '../../domain/model/provider.js';
import { MAX_CHAT_TOKENS } from './sampling.js';

/** What servers have used of models, and may use without being asked about again, by server and chat. Forgotten with the window. */
export class SampleBudget {
  private readonly used = new Map<string, number>();
  private readonly allowed = new Set<string>();

  /** Tokens that a server can still use in a chat. */
  left(server: string, session: string): number {
    return MAX_CHAT_TOKENS - (this.used.get(key(server, session)) ?? 0);
  }

  /** Takes what a request can use at most, before it is sent. Returns what to call with what it has used. */
  reserve(server: string, session: string, most: number): (used: number) => void {
    const add = (tokens: number): void => void this.used.set(key(server, session), (this.used.get(key(server, session)) ?? 0) + tokens);
    add(most);
    return (used) => add(used - most);
  }

  /** Whether the user allows all further requests of a server in a chat. It is another question with another model, which may cost more. */
  isAllowed(server: string, session: string, model: ModelInfo): boolean {
    return this.allowed.has(`${key(server, session)} ${model.provider}/${model.id}`);
  }

  /** Takes that they do. */
  allow(server: string, session: string, model: ModelInfo): void {
    this.allowed.add(`${key(server, session)} ${model.provider}/${model.id}`);
  }
}

/** Ids of servers contain no spaces. */
function key(server: string, session: string): string {
  return `${server} ${session}`;
}
