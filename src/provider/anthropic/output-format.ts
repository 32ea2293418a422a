import type Anthropic from '@anthropic-ai/sdk';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import type { JsonSchema } from '../../domain/tool/tool.js';

/**
 * The schema of an answer in the form of the API: objects without other fields than those that are named, and what else the API does not
 * take as words in descriptions. A call that is forced (`tool_choice`) would be another way, but models that think refuse it. Sources:
 * platform.claude.com, "Structured outputs", 2026, and the types of the SDK.
 * @returns `undefined` for a schema of which only a narrower one could be sent: then no answer could be right.
 */
export function outputFormat(schema: JsonSchema | undefined): Anthropic.JSONOutputFormat | undefined {
  if (schema?.['type'] !== 'object' || 'anyOf' in schema || 'oneOf' in schema) return undefined;
  const { $defs = {}, ...root } = schema;
  if (!isRecord($defs)) return undefined;
  const places = new Places($defs);
  if (!places.isTaken(root) || !Object.values($defs).every((each) => places.isTaken(each))) return undefined;
  return { type: 'json_schema', schema: transformJSONSchema({ ...schema }) };
}

/** Keywords whose schemas the SDK leaves out, or closes each for itself so that nothing fits all of them; definitions are taken at the root alone. */
const NOT_TAKEN = ['$defs', 'allOf', 'definitions', 'patternProperties', 'prefixItems'] as const;

/** What is within a schema, of which the same can be reached in several ways. */
class Places {
  private readonly definitions: JsonSchema;
  /** What references lead to; `false` also while that is being looked at, for the API takes none that lead back to themselves. */
  private readonly known = new Map<string, boolean>();

  constructor(definitions: JsonSchema) {
    this.definitions = definitions;
  }

  /** Whether the API takes a schema and those within it, or one that is less narrow. */
  isTaken(value: unknown): boolean {
    if (!isRecord(value) || NOT_TAKEN.some((key) => key in value)) return false;
    const { $ref, type, anyOf, oneOf, enum: values, items } = value;
    if ($ref !== undefined) return typeof $ref === 'string' && this.leadsOn($ref);
    if (values !== undefined) return Array.isArray(values) && values.length > 0 && values.every(isPlain);
    if ('const' in value) return isPlain(value['const']);
    const either = anyOf ?? oneOf;
    if (either !== undefined) return !('properties' in value) && Array.isArray(either) && either.every((each) => this.isTaken(each));
    if (Array.isArray(type)) return type.every((each) => each !== 'object' && each !== 'array');
    if (type === 'object') return this.isTakenObject(value);
    return type === 'array' ? this.isTaken(items) : typeof type === 'string';
  }

  /** An object with fields that are not named would be sent as one without them. */
  private isTakenObject({ properties = {}, additionalProperties }: JsonSchema): boolean {
    if (!isRecord(properties)) return false;
    const fields = Object.values(properties);
    const isClosed = additionalProperties === false || (additionalProperties === undefined && fields.length > 0);
    return isClosed && fields.every((field) => this.isTaken(field));
  }

  private leadsOn(ref: string): boolean {
    const known = this.known.get(ref);
    if (known !== undefined) return known;
    this.known.set(ref, false);
    const name = /^#\/\$defs\/([\w.-]+)$/.exec(ref)?.[1] ?? '';
    const isTaken = Object.hasOwn(this.definitions, name) && this.isTaken(this.definitions[name]);
    this.known.set(ref, isTaken);
    return isTaken;
  }
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
