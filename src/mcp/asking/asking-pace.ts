import type { Clock } from '../../domain/clock.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import { MAX_CHAT_TOKENS } from './sampling.js';

/** Questions in a row that were not accepted, after which a server has to rest. */
const MAX_IN_VAIN = 5;
/** Milliseconds that it has to rest. */
const REST_MS = 5 * 60_000;
/** Limit for questions of one server per minute, answered or not: a user cannot read more. */
const MAX_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/** Why a server may not ask now. */
export interface Rest {
  /** For the server's author. */
  readonly reason: string;
  /** Whether this is the first refusal. */
  readonly isNew: boolean;
}

/** Recent questions and refusals of one server, for the rate limit. */
interface Asker {
  /** Questions in a row that were not accepted. */
  inVain: number;
  /** When it may ask again. */
  restUntil: number;
  told: boolean;
  /** When it asked in the last minute. */
  asked: number[];
}

/** Keeps servers from asking in a loop. It knows them for as long as the window is open: a server that starts anew does not begin anew. */
export class AskingPace {
  private readonly askers = new Map<string, Asker>();

  constructor(private readonly clock: Clock) {}

  /** Takes that a server asks. @returns why it may not */
  ask(server: string): Rest | undefined {
    const asker = this.of(server);
    const now = this.clock.monotonic();
    asker.asked = asker.asked.filter((time) => now - time < MINUTE_MS);
    const tooMany = asker.asked.length >= MAX_PER_MINUTE;
    if (tooMany || now < asker.restUntil) {
      const isNew = !asker.told;
      asker.told = true;
      return {
        reason: tooMany
          ? `Too many requests: at most ${MAX_PER_MINUTE} in a minute are passed on to the user.`
          : `The last ${MAX_IN_VAIN} requests were not accepted. Do not ask again now.`,
        isNew,
      };
    }
    asker.told = false;
    asker.asked.push(now);
    return undefined;
  }

  /** Takes how a question ended. @param accepted `false` also when it was taken back, or could not be asked */
  ended(server: string, accepted: boolean): void {
    const asker = this.of(server);
    asker.inVain = accepted ? 0 : asker.inVain + 1;
    if (asker.inVain < MAX_IN_VAIN) return;
    asker.inVain = 0;
    asker.restUntil = this.clock.monotonic() + REST_MS;
  }

  private of(server: string): Asker {
    const known = this.askers.get(server) ?? { inVain: 0, restUntil: 0, told: false, asked: [] };
    this.askers.set(server, known);
    return known;
  }
}

/** Tokens that servers have used for sampling, and whether they may use more without another prompt, by server and chat. Ends with the window. */
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
