import type { McpField, McpFieldBase, McpOption } from '../../../domain/mcp/request.js';
import { Refusal } from '../errors.js';
import { type JsonRecord, list, number, present, record, text } from './json.js';

const MAX_FIELDS = 100;
const MAX_OPTIONS = 1_000;
const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/**
 * The blanks of a form, from the part of JSON Schema that the specification has for it (all revisions since 2025-06-18).
 * @throws Refusal for anything else, because an answer could not be checked
 */
export function formFields(schema: unknown): readonly McpField[] {
  const form = record(schema);
  const properties = Object.entries(record(form?.['properties']) ?? {});
  if (form === undefined || form['type'] !== 'object') throw new Refusal('A form is an object schema.');
  if (properties.length > MAX_FIELDS) throw new Refusal(`A form has at most ${MAX_FIELDS} fields.`);
  const required = new Set(list(form['required']));
  return properties.map(([name, property]) => {
    const field = record(property) ?? {};
    const base = present({ name, title: text(field['title']), description: text(field['description']), required: required.has(name) });
    return fieldOf(field, base);
  });
}

function fieldOf(field: JsonRecord, base: McpFieldBase): McpField {
  switch (field['type']) {
    case 'string':
      return 'enum' in field || 'oneOf' in field ? choice(field, base) : textField(field, base);
    case 'number':
    case 'integer':
      return present({
        ...base,
        type: 'number' as const,
        integer: field['type'] === 'integer',
        minimum: number(field['minimum']),
        maximum: number(field['maximum']),
        default: number(field['default']),
      });
    case 'boolean':
      return present({ ...base, type: 'boolean' as const, default: typeof field['default'] === 'boolean' ? field['default'] : undefined });
    case 'array':
      return choices(field, base);
    default:
      throw new Refusal(`The field "${base.name}" has a type that a form cannot have.`);
  }
}

function textField(field: JsonRecord, base: McpFieldBase): McpField {
  const format = text(field['format']);
  const known = FORMATS.find((each) => each === format);
  if (format !== undefined && known === undefined) throw new Refusal(`The field "${base.name}" has a format that a form cannot have.`);
  return present({
    ...base,
    type: 'text' as const,
    format: known,
    minLength: number(field['minLength']),
    maxLength: number(field['maxLength']),
    pattern: text(field['pattern']),
    default: text(field['default']),
  });
}

function choice(field: JsonRecord, base: McpFieldBase): McpField {
  return present({ ...base, type: 'choice' as const, options: optionsOf(field, base.name), default: text(field['default']) });
}

function choices(field: JsonRecord, base: McpFieldBase): McpField {
  const items = record(field['items']) ?? {};
  const chosen = field['default'] === undefined ? undefined : list(field['default']).filter((each) => typeof each === 'string');
  return present({
    ...base,
    type: 'choices' as const,
    options: optionsOf(items, base.name),
    minItems: number(field['minItems']),
    maxItems: number(field['maxItems']),
    default: chosen,
  });
}

/** Values alone, with names beside them (`enumNames`, up to 2025-06-18), or each with its title. */
function optionsOf(field: JsonRecord, name: string): readonly McpOption[] {
  const names = list(field['enumNames']);
  const plain = list(field['enum']).map((value, index) => ({ value, title: names[index] ?? value }));
  const titled = list(field['oneOf'] ?? field['anyOf']).map((each) => ({
    value: record(each)?.['const'],
    title: record(each)?.['title'] ?? record(each)?.['const'],
  }));
  const options = [...plain, ...titled].filter((option): option is McpOption => typeof option.value === 'string' && typeof option.title === 'string');
  if (options.length === 0 || options.length !== plain.length + titled.length || options.length > MAX_OPTIONS) {
    throw new Refusal(`The field "${name}" has choices that a form cannot have.`);
  }
  return options;
}
