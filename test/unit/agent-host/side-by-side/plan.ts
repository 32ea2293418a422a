import fc from 'fast-check';

/** What a model does in an answer; `far` in the folder of the others. `look` is a command that only reads, the others leave processes. */
export type Deed = 'read' | 'read far' | 'write' | 'write far' | 'edit' | 'look' | 'run' | 'wait' | 'job';

/** What a server does with a request before it answers it: nothing, refuses it as one that fails, or breaks off in the middle. */
type Trouble = 'none' | 'fails' | 'cuts';

/** An answer of a model. */
export interface Round {
  readonly deeds: readonly Deed[];
  readonly trouble: Trouble;
  /** Tokens, read and written. */
  readonly tokens: readonly [read: number, written: number];
}

/** When a session is stopped: at the n-th time, from 0, that something happens in it; `event` is anything at all. */
export const MOMENTS = ['event', 'arrives', 'round starts', 'words come', 'answer', 'asks', 'runs', 'result', 'retries'] as const;
/** One of {@link MOMENTS}. */
export type Moment = (typeof MOMENTS)[number];

/** How a session is stopped. */
interface Stop {
  readonly how: 'cancel' | 'close';
  readonly at: Moment;
  readonly nth: number;
}

/** A session and what happens in it. */
export interface SessionPlan {
  readonly wire: 'messages' | 'chat';
  /** In which folder it works: the one that is open, or one of its own. */
  readonly folder: 0 | 1;
  /** Whether it draws on the purse. */
  readonly shares: boolean;
  readonly asksFirst: boolean;
  readonly rounds: readonly Round[];
  /** Whether its prompts are allowed, in turns. */
  readonly allows: readonly boolean[];
  readonly stop: Stop | undefined;
}

/** Sessions that run side by side, and what there is for those that share a purse. */
export interface WorldPlan {
  readonly sessions: readonly SessionPlan[];
  /** Requests. */
  readonly budget: number;
  /** In which order they are closed at the end. */
  readonly closing: number;
}

const deeds = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<Deed>('read', 'read far', 'write', 'write far', 'edit', 'edit', 'edit', 'look', 'run') },
  { weight: 2, arbitrary: fc.constantFrom<Deed>('wait', 'job') },
);
const trouble = fc.oneof({ weight: 5, arbitrary: fc.constant<Trouble>('none') }, { weight: 2, arbitrary: fc.constantFrom<Trouble>('fails', 'cuts') });
const rounds = fc.record<Round>({
  deeds: fc.array(deeds, { minLength: 1, maxLength: 3 }),
  trouble,
  tokens: fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 2, max: 90 })),
});
const how = fc.constantFrom<Stop['how']>('cancel', 'close');
const stops = fc.oneof(
  { weight: 2, arbitrary: fc.record<Stop>({ how, at: fc.constantFrom(...MOMENTS), nth: fc.integer({ min: 0, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record<Stop>({ how, at: fc.constant('event'), nth: fc.integer({ min: 3, max: 80 }) }) },
);

/** Deeds that take long, of which a session does each only once: the others are run and end. */
const LONG: ReadonlySet<Deed> = new Set(['wait', 'job']);

function eachLongOnce(all: readonly Round[]): readonly Round[] {
  const seen = new Set<Deed>();
  const once = (deed: Deed): Deed => {
    if (!LONG.has(deed)) return deed;
    if (seen.has(deed)) return 'run';
    seen.add(deed);
    return deed;
  };
  return all.map((round) => ({ ...round, deeds: round.deeds.map(once) }));
}

const sessions = fc.record<SessionPlan>({
  wire: fc.constantFrom('messages', 'chat'),
  folder: fc.constantFrom(0, 1),
  shares: fc.boolean(),
  asksFirst: fc.boolean(),
  rounds: fc.array(rounds, { minLength: 1, maxLength: 4 }).map(eachLongOnce),
  allows: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)), { minLength: 1, maxLength: 5 }),
  stop: fc.option(stops, { nil: undefined }),
});

/** Between two and six sessions. */
export const worlds = fc.record<WorldPlan>({
  sessions: fc.array(sessions, { minLength: 2, maxLength: 6 }),
  budget: fc.integer({ min: 1, max: 14 }),
  closing: fc.nat(5),
});
