import { Buffer } from 'node:buffer';
import type { JsonSchema } from '../../../domain/tool/tool.js';
import { type JsonRecord, record } from './json.js';

/** An argument that is also sent as a header of HTTP, so that servers in between can see it. */
interface HeaderParameter {
  /** Of property names. */
  readonly path: readonly string[];
  readonly header: string;
}

const KEYWORD = 'x-mcp-header';
/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/**
 * The arguments of a tool that are sent as headers. The specification (2026-07-28, Streamable HTTP) has clients leave out a tool whose
 * schema marks them in a way that it does not allow.
 * @returns what is wrong with the marks, as the end of an English sentence, if anything is.
 */
export function headerParameters(schema: JsonSchema): readonly HeaderParameter[] | string {
  const found: HeaderParameter[] = [];
  const fault = visit(schema, { path: [], reachable: true, found });
  if (fault !== undefined) return fault;
  const names = found.map(({ header }) => header.toLowerCase());
  return new Set(names).size === names.length ? found : `${KEYWORD} names a header twice`;
}

/** The headers of a call. What is absent, null, or no simple value has none. */
export function headersOfCall(schema: JsonSchema, args: JsonRecord): Readonly<Record<string, string>> {
  const parameters = headerParameters(schema);
  if (typeof parameters === 'string') return {};
  return Object.fromEntries(
    parameters.flatMap(({ path, header }) => {
      const value = headerText(path.reduce<unknown>((each, key) => record(each)?.[key], args));
      return value === undefined ? [] : [[`Mcp-Param-${header}`, encoded(value)]];
    }),
  );
}

interface Place {
  readonly path: readonly string[];
  /** Whether nothing but `properties` leads here, so that the value can be found in the arguments. */
  readonly reachable: boolean;
  readonly found: HeaderParameter[];
}

function visit(value: unknown, place: Place): string | undefined {
  if (Array.isArray(value)) return firstFault(value, (each) => visit(each, { ...place, reachable: false }));
  const schema = record(value);
  if (schema === undefined) return undefined;
  const fault = KEYWORD in schema ? take(schema, place) : undefined;
  if (fault !== undefined) return fault;
  const { properties, ...others } = schema;
  const inProperties = firstFault(Object.entries(record(properties) ?? {}), ([key, each]) => visit(each, { ...place, path: [...place.path, key] }));
  return (
    inProperties ??
    firstFault(
      Object.entries(others).filter(([key]) => !VALUES.has(key)),
      ([, each]) => visit(each, { ...place, reachable: false }),
    )
  );
}

/** Keywords whose values are data and no schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

function take(schema: JsonRecord, { path, reachable, found }: Place): string | undefined {
  const header = schema[KEYWORD];
  if (!reachable || path.length === 0) return `${KEYWORD} is in a place that it may not be in`;
  if (typeof header !== 'string' || !TOKEN.test(header)) return `${KEYWORD} is not the name of a header`;
  if (!TYPES.has(schema['type'])) return `${KEYWORD} is on something else than a string, an integer or a boolean`;
  found.push({ path, header });
  return undefined;
}

function firstFault<Item>(items: readonly Item[], check: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = check(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function headerText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? String(value) : undefined;
}

/** As it is if a header can carry it, otherwise in the form that the specification has for what it cannot. */
function encoded(value: string): string {
  const plain = /^[\t\x20-\x7E]+$/.test(value) && value === value.trim() && !/^=\?base64\?.*\?=$/.test(value);
  return plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
