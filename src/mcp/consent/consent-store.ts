import { type McpConsent, isSameKey } from './consent.js';
import type { ConsentKey } from './effective-entry.js';

/** Consents that are kept. When there are more, those that were given longest ago are asked for again. */
const MAX_CONSENTS = 200;

/** Where consents are kept: outside of every workspace, so that none can bring its own. */
export interface McpConsentStore {
  /** All of them, the newest first. */
  list(): readonly McpConsent[];
  get(key: ConsentKey): McpConsent | undefined;
  set(consent: McpConsent): Promise<void>;
  /** Revokes a consent; nothing happens where there is none. */
  delete(key: ConsentKey): Promise<void>;
}

/** One value that outlives the window, such as a key of a `Memento` of VS Code. */
export interface KeptValue {
  get(): unknown;
  set(value: unknown): PromiseLike<void>;
}

/** Keeps consents as one value. What does not look like a consent is left out: its entry is asked about again. */
export function createConsentStore(kept: KeptValue): McpConsentStore {
  let last: { readonly value: unknown; readonly consents: readonly McpConsent[] } | undefined;
  const list = (): readonly McpConsent[] => {
    const value = kept.get();
    // A view of servers asks several times for each of them.
    if (last === undefined || last.value !== value) last = { value, consents: parseConsents(value) };
    return last.consents;
  };
  return {
    list,
    get: (key) => list().find((consent) => isSameKey(consent.key, key)),
    set: async (consent) => {
      const others = list().filter(({ key }) => !isSameKey(key, consent.key));
      await kept.set([consent, ...others].sort((a, b) => b.approvedAt - a.approvedAt).slice(0, MAX_CONSENTS));
    },
    delete: async (key) => {
      await kept.set(list().filter((consent) => !isSameKey(consent.key, key)));
    },
  };
}

function parseConsents(value: unknown): readonly McpConsent[] {
  return Array.isArray(value) ? value.filter(isConsent) : [];
}

function isConsent(value: unknown): value is McpConsent {
  if (!isRecord(value) || !isRecord(value['key']) || !isRecord(value['parts'])) return false;
  const { hash, text, files, approvedAt, tools } = value;
  const { file, name, folder } = value['key'];
  const isText = [file, name, hash, text, ...Object.values(value['parts'])].every((each) => typeof each === 'string');
  return (
    isText &&
    (folder === undefined || typeof folder === 'string') &&
    Number.isFinite(approvedAt) &&
    isListOf(tools, ['name', 'fingerprint', 'text']) &&
    isListOf(files, ['path', 'sha256'])
  );
}

/** Whether it is a list of objects with these properties, all of them texts. */
function isListOf(value: unknown, properties: readonly string[]): boolean {
  return Array.isArray(value) && value.every((each) => isRecord(each) && properties.every((property) => typeof each[property] === 'string'));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
