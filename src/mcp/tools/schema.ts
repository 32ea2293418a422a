import { t } from '../../domain/l10n.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { JsonSchema } from '../../domain/tool/tool.js';
import { MAX_SCHEMA } from '../../tool/calls/foreign.js';

/** Levels of a schema. Deeper ones are made to break programs, not to describe arguments. */
const MAX_DEPTH = 24;
/** Values in a schema, so that the copy of a huge one is given up early. */
const MAX_VALUES = 10_000;
/** Names of arguments that model APIs take. Source: the Anthropic API, which refuses a whole request because of another one. */
const ARGUMENT = /^[A-Za-z0-9_.-]{1,64}$/;

/** Keywords whose values are schemas by names that are anyone's choice. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose values are data, whatever it looks like. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired']);
/** Keywords that are for other programs than models. */
const NOT_TOLD: ReadonlySet<string> = new Set(['$schema', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$comment', 'x-mcp-header']);
/**
 * Keywords that are left to the server to check: patterns, because one can be written that takes forever; defaults, because they
 * would be filled in; and those that the checker does not know.
 */
const NOT_CHECKED: ReadonlySet<string> = new Set([
  ...['pattern', 'patternProperties', 'format', 'default', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...[
    '$defs',
    'definitions',
    'if',
    'then',
    'else',
    'not',
    'dependentSchemas',
    'dependentRequired',
    'unevaluatedProperties',
    'unevaluatedItems',
    'propertyNames',
    'contains',
    'minContains',
    'maxContains',
  ],
]);

/**
 * The schema of a tool's arguments as models get it, or why they cannot, as a sentence for the user. References to other places are left
 * out, and never followed. At its root, which model APIs want to be a plain object, alternatives are merged into one.
 */
export function toldSchema(schema: JsonSchema): { readonly told: JsonSchema } | { readonly problem: string } {
  const copy = new Copy(NOT_TOLD).of(schema);
  if (copy === undefined) return { problem: t('The schema of its arguments is nested too deeply or too large.') };
  const told = isTooLong(copy) ? copy : flatRoot(copy);
  if (told === undefined) return { problem: t('Its arguments are not an object.') };
  if (isTooLong(told)) return { problem: t('The schema of its arguments is longer than {0} characters.', MAX_SCHEMA) };
  const strange = Object.keys(recordOf(told['properties'])).find((name) => !ARGUMENT.test(name));
  if (strange !== undefined)
    return { problem: t('The name of its argument {0} is not one that models can use.', showUnseen(strange.slice(0, MAX_SHOWN_NAME))) };
  return { told };
}

/** The schema that arguments are checked by, as far as that can be done here; the server checks the rest. It has no references. */
export function checkedSchema(schema: JsonSchema): JsonSchema {
  // With what it refers to it may be too large.
  return { ...new Copy(NOT_CHECKED, schema).of(schema), type: 'object' };
}

function isTooLong(schema: JsonSchema): boolean {
  return JSON.stringify(schema).length > MAX_SCHEMA;
}

/** Characters of a strange name that are shown. */
const MAX_SHOWN_NAME = 100;

/** Copies a schema without some keywords, and without what is hidden in its texts. */
class Copy {
  private values = 0;
  /** References whose targets are being copied. */
  private readonly within = new Set<unknown>();

  /**
   * @param root where it has references to places in itself, and the copy is to have what they lead to: a few references to each other
   * can stand for more than could ever be checked. What leads back to itself stands for anything.
   */
  constructor(
    private readonly without: ReadonlySet<string>,
    private readonly root?: JsonSchema,
  ) {}

  /** `undefined` for one that is too deep or too large. */
  of(schema: JsonSchema): Readonly<Record<string, unknown>> | undefined {
    try {
      return recordOf(this.schema(schema, 0));
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private schema(value: unknown, depth: number): unknown {
    this.count(depth);
    if (Array.isArray(value)) return value.map((item) => this.schema(item, depth + 1));
    if (!isRecord(value)) return value;
    if (this.root === undefined || !isLocal(value['$ref'])) return this.keywords(value, depth);
    const reference = value['$ref'];
    if (this.within.has(reference)) return {};
    this.within.add(reference);
    const copied = this.keywords(resolved(value, this.root), depth);
    this.within.delete(reference);
    return copied;
  }

  private keywords(value: JsonSchema, depth: number): unknown {
    // Which properties a pattern is about is not known without it.
    const open = this.without.has('patternProperties') && Object.hasOwn(value, 'patternProperties');
    const kept = Object.entries(value).filter(
      ([key, part]) => !this.without.has(key) && !(open && key === 'additionalProperties') && !(key === '$ref' && (this.root !== undefined || !isLocal(part))),
    );
    return Object.fromEntries(
      kept.flatMap(([key, part]) => {
        if (key !== 'required' || !Array.isArray(part)) return [[key, this.keyword(key, part, depth)] as const];
        const needed: readonly unknown[] = part.filter((name) => !hasDefault(value, name));
        return needed.length === 0 && part.length > 0 ? [] : [[key, this.data(needed, depth + 1)] as const];
      }),
    );
  }

  private keyword(key: string, value: unknown, depth: number): unknown {
    if (MAPS.has(key) && isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.schema(part, depth + 1)]));
    if (DATA.has(key)) return this.data(value, depth + 1);
    if (typeof value === 'string') return showUnseen(value);
    return this.schema(value, depth + 1);
  }

  private data(value: unknown, depth: number): unknown {
    this.count(depth);
    if (Array.isArray(value)) return value.map((item) => this.data(item, depth + 1));
    return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.data(part, depth + 1)])) : value;
  }

  private count(depth: number): void {
    this.values += 1;
    if (depth > MAX_DEPTH || this.values > MAX_VALUES) throw new RangeError('The schema is too deep or too large.');
  }
}

/** Whether the server says what it takes for a property that is left out: libraries list these as required, too. */
function hasDefault({ properties }: JsonSchema, name: unknown): boolean {
  const property = typeof name === 'string' && isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isRecord(property) && Object.hasOwn(property, 'default');
}

/** Whether a reference leads to a place in the same schema. */
function isLocal(reference: unknown): boolean {
  return typeof reference === 'string' && reference.startsWith('#');
}

/** Keywords that combine schemas, which model APIs refuse at the root. */
const COMBINERS = ['allOf', 'anyOf', 'oneOf'] as const;

/** A schema whose root is a plain object; `undefined` for one of anything else. */
function flatRoot(root: JsonSchema): JsonSchema | undefined {
  const base = resolved(root, root);
  if (!mayBeObject(base)) return undefined;
  const { allOf, anyOf, oneOf, ...rest } = base;
  const parts = [rest, ...branchesOf(allOf, root)];
  const choices = [anyOf, oneOf].map((list) => branchesOf(list, root)).filter((list) => list.length > 0);
  if (![...parts, ...choices.flat()].every(mayBeObject)) return undefined;
  const properties = merged([...parts, ...choices.flat()]);
  const always = new Set(parts.flatMap(requiredOf));
  // Of alternatives, only what all of them require is required.
  for (const list of choices) for (const name of requiredOf(list[0] ?? {})) if (list.every((branch) => requiredOf(branch).includes(name))) always.add(name);
  const required = [...always].filter((name) => Object.hasOwn(properties, name));
  const closed = COMBINERS.some((key) => base[key] !== undefined) ? { additionalProperties: undefined } : {};
  const flat = { ...rest, ...closed, type: 'object', properties, ...(required.length === 0 ? { required: undefined } : { required }) };
  return Object.fromEntries(Object.entries(flat).filter(([, value]) => value !== undefined));
}

function mayBeObject({ type, properties }: JsonSchema): boolean {
  if (Array.isArray(type)) return type.includes('object');
  return type === undefined ? properties === undefined || isRecord(properties) : type === 'object';
}

/** The schemas of a list, those behind references in place of these. */
function branchesOf(list: unknown, root: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(list) ? list.map((branch) => (isRecord(branch) ? resolved(branch, root) : {})) : [];
}

/** A schema with what its reference leads to; one that leads to another reference is not followed further. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const target = reference
    .slice(1)
    .split('/')
    .filter((name) => name !== '')
    .reduce<unknown>((at, name) => recordOf(at)[decoded(name)], root);
  return Object.fromEntries(Object.entries({ ...recordOf(target), ...schema }).filter(([key]) => key !== '$ref'));
}

/** A name in a JSON pointer (RFC 6901), which can be percent-encoded in a reference. */
function decoded(name: string): string {
  return name.replaceAll('%24', '$').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The properties of several schemas; where they differ, any of them will do. */
function merged(schemas: readonly JsonSchema[]): Readonly<Record<string, unknown>> {
  const all = new Map<string, Map<string, unknown>>();
  for (const schema of schemas) {
    for (const [name, property] of Object.entries(recordOf(schema['properties']))) {
      const versions = all.get(name) ?? new Map<string, unknown>();
      all.set(name, versions.set(JSON.stringify(property), property));
    }
  }
  return Object.fromEntries([...all].map(([name, versions]) => [name, versions.size === 1 ? [...versions.values()][0] : { anyOf: [...versions.values()] }]));
}

function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
