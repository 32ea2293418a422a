import { LatestState } from '../concurrency/latest-state.js';
import type { Log } from '../domain/log.js';
import { addUsage, NO_USAGE } from '../domain/model/usage.js';
import type { OpenSession, SessionMeta, SessionStore } from '../domain/session/session-store.js';
import type { ElfOrigin } from '../elf/elf.js';
import type { ElfMemory, KeptByName } from '../elf/elf-memory.js';
import { lastWordsIn } from '../elf/elf-result.js';
import type { ElvesDeps } from '../elf/elves.js';
import type { ElfLimitsStore } from '../elf/household-limits.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { createSessions } from '../session/create-sessions.js';
import { elfFolder } from './elf-folder.js';
import { ElfOrders, type StoredOrder, withOrders } from './elf-orders.js';
import { oneLine } from './environment.js';
import type { AgentHostPorts } from './host-ports.js';
import type { SessionFactory } from './session-factory.js';

/** What is stored of the elves of chats, beside the sessions of these and with them. */
export function elfStorage(
  ports: AgentHostPorts,
  factory: Pick<SessionFactory, 'storedOf'>,
): Pick<ElvesDeps, 'earlier' | 'keepOrder' | 'limitsOf' | 'memoryOf' | 'lastWords'> {
  return {
    earlier: async (id) => storedElves(elfStore(ports, id), await ordersOf(ports, id).all()),
    keepOrder: (id, elf, order) => ordersOf(ports, id).keep(elf, order),
    limitsOf: (session) => limitsStore(factory.storedOf(session), ports.log),
    memoryOf: (session) => memoryIn(factory.storedOf(session), ports.log),
    lastWords: (chat, session) => lastWords(elfStore(ports, chat), session),
  };
}

/** Stores what was answered about the limits of the agents of a chat with that. */
function limitsStore(open: OpenSession | undefined, log: Log): ElfLimitsStore {
  const kept = keptWith(open, 'elfLimits', log);
  return { stored: kept.latest() ?? {}, save: kept.save };
}

/** Stores with a chat what it remembers of its agents. */
function memoryIn(open: OpenSession | undefined, log: Log): ElfMemory {
  return { told: byName(keptWith(open, 'elvesTold', log)), trees: byName(keptWith(open, 'elfTrees', log)) };
}

function byName<Value>({ latest, save }: Kept<Readonly<Record<string, Value>>>): KeptByName<Value> {
  return { of: (name) => latest()?.[name], keep: (name, value) => save({ ...latest(), [name]: value }) };
}

/** What is stored with a chat. */
interface Kept<Value> {
  readonly latest: () => Value | undefined;
  /** Does not reject. */
  readonly save: (value: Value) => void;
}

/** What is stored with a chat under a key. Of many changes at once, only the last is written. */
function keptWith<K extends 'elfLimits' | 'elvesTold' | 'elfTrees'>(open: OpenSession | undefined, key: K, log: Log): Kept<NonNullable<SessionMeta[K]>> {
  let latest: NonNullable<SessionMeta[K]> | undefined = open?.meta[key] ?? undefined;
  const writing = new LatestState(
    async () => open?.recorder.updateMeta({ [key]: latest }),
    (error) => log.error('What is known of the agents of a chat could not be stored', error),
  );
  const save = (value: NonNullable<SessionMeta[K]>): void => {
    latest = value;
    void writing.now();
  };
  return { latest: () => latest, save };
}

/** What was said last in a session that is not open. @throws Error when it cannot be read */
async function lastWords(store: SessionStore, id: string): Promise<string> {
  const { session, recorder } = await store.open(id);
  await recorder.close();
  return lastWordsIn(session.messages);
}

/** Those that a chat has had, in the order in which they were started. @param orders what some of them have not taken up */
async function storedElves(store: SessionStore, orders: readonly StoredOrder[]): Promise<readonly ElfOrigin[]> {
  const begun = (await store.list()).flatMap(({ id, elf, model = '', costUsd, byModel = {} }): readonly ElfOrigin[] => {
    if (elf === undefined) return [];
    const { runs, ...known } = elf;
    const usage = Object.values(byModel).reduce((sum, figures) => addUsage(sum, figures.usage), NO_USAGE);
    return [{ ...known, stored: { session: id, model, usage, costUsd, runs } }];
  });
  const origins = withOrders(begun, orders)
    .filter(({ name }) => NAME.test(name))
    .map((known) => ({ ...known, type: oneLine(known.type), task: oneLine(known.task) }));
  const ordered = origins.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  // Files can say anything: one belongs to one before it, which no circle does, and has a name of its own.
  const before = new Set<string>();
  return ordered.filter(({ name, parent }) => {
    const fits = !before.has(name) && (parent === undefined || before.has(parent));
    if (fits) before.add(name);
    return fits;
  });
}

/** Names that elves have. */
const NAME = /^agent-\d{1,6}$/;

function ordersOf({ storage: { workspace, sessions = workspace }, log }: AgentHostPorts, chat: string): ElfOrders {
  return new ElfOrders(elfFolder(sessions, chat), log);
}

/** Where the sessions of the elves of a chat are stored. */
export function elfStore({ storage: { workspace, sessions = workspace }, clock, log }: AgentHostPorts, chat: string): SessionStore {
  return createSessions({ folder: elfFolder(sessions, chat), files: createNodeFileLayer(), clock, log }).store;
}
