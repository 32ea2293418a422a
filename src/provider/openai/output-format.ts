// OpenAI's own `toStrictJsonSchema` (openai, lib/transform) makes another schema that strict mode takes, or throws; what is asked here is
// only whether it takes the one that there is.
import type { JsonSchema } from '../../domain/tool/tool.js';

/** The schema of an answer, in the form that chat completions and Responses share. */
export interface OutputFormat {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Whether the server makes sure of it. It refuses then what it cannot make sure of. */
  readonly strict?: true;
}

/** The API wants one, of at most 64 letters and digits. */
const NAME = 'answer';

/** What goes into the field for the schema of the answer; `undefined` for one that is not taken there, because it is of no object. */
export function outputFormat(schema: JsonSchema | undefined): OutputFormat | undefined {
  if (schema?.['type'] !== 'object' || 'anyOf' in schema) return undefined;
  return { name: NAME, schema, ...(isStrict(schema) ? { strict: true } : {}) };
}

/** All that strict mode takes. Source: developers.openai.com, "Structured model outputs", "Supported schemas", 2026. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['$schema', '$defs', '$ref', 'title', 'description', 'type', 'enum', 'const', 'anyOf'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);
const FORMATS: ReadonlySet<unknown> = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
/** Its limits, those of the schema as a whole: objects in objects, fields, and values of enumerations; characters of the names and values. */
const MAX_DEPTH = 10;
const MAX_FIELDS = 5_000;
const MAX_VALUES = 1_000;
const MAX_CHARACTERS = 120_000;

function isStrict(schema: JsonSchema): boolean {
  const count = { fields: 0, values: 0 };
  return isTaken(schema, MAX_DEPTH, count) && count.fields <= MAX_FIELDS && count.values <= MAX_VALUES && JSON.stringify(schema).length <= MAX_CHARACTERS;
}

interface Count {
  fields: number;
  values: number;
}

/** Whether strict mode takes a schema and those within it. @param depth levels of objects that may follow */
function isTaken(value: unknown, depth: number, count: Count): boolean {
  if (!isRecord(value) || Object.keys(value).some((key) => !KEYWORDS.has(key))) return false;
  const { type, format, items, anyOf, $defs } = value;
  if (!['type', 'enum', 'const', 'anyOf', '$ref'].some((key) => key in value)) return false;
  if (format !== undefined && !FORMATS.has(format)) return false;
  if (Array.isArray(value['enum'])) count.values += value['enum'].length;
  const inner = (each: unknown): boolean => isTaken(each, depth, count);
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('array') && items === undefined) return false;
  if ((types.includes('object') || 'properties' in value) && !isTakenObject(value, depth, count)) return false;
  return (
    (items === undefined || inner(items)) &&
    (anyOf === undefined || (Array.isArray(anyOf) && anyOf.every(inner))) &&
    ($defs === undefined || (isRecord($defs) && Object.values($defs).every(inner)))
  );
}

/** All fields are required, and there are no others. */
function isTakenObject({ properties, required, additionalProperties }: JsonSchema, depth: number, count: Count): boolean {
  if (!isRecord(properties) || !Array.isArray(required) || additionalProperties !== false || depth === 0) return false;
  const names = Object.keys(properties);
  count.fields += names.length;
  return names.every((name) => required.includes(name) && isTaken(properties[name], depth - 1, count));
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
