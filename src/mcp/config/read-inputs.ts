import type { Node } from 'jsonc-parser';
import { t } from '../../domain/l10n.js';
import type { McpInput } from '../../domain/mcp/config.js';
import { type JsonDocument, propertiesOf } from '../../text/json-document.js';
import { EntryFields, unknownKey } from './entry-fields.js';

/** Inputs of one file. */
const MAX_INPUTS = 100;
/** Characters of the id of an input, which is a part of a name in the secret storage. */
const MAX_ID = 100;

/**
 * The values that `.vscode/mcp.json` has the user asked for: `promptString` and `pickString`. The third type, `command`, would run
 * a command of an extension that the file chooses, so it is left out.
 * Source: code.visualstudio.com/docs/reference/variables-reference, "Input variables".
 */
export function readInputs(document: JsonDocument): readonly McpInput[] {
  const list = propertiesOf(document.root).find(({ name }) => name === 'inputs')?.value;
  if (list === undefined) return [];
  if (list.type !== 'array') {
    document.add(['inputs'], list, t('“inputs” must be a list in brackets.'));
    return [];
  }
  const items = list.children ?? [];
  if (items.length > MAX_INPUTS) document.add(['inputs'], list, t('The file has more than {0} inputs. Those after them are ignored.', MAX_INPUTS));
  const inputs = new Map<string, McpInput>();
  items.slice(0, MAX_INPUTS).forEach((node, index) => {
    const input = inputOf(document, node, index);
    if (input === undefined) return;
    if (inputs.has(input.id)) document.add(['inputs', index], node, t('There is an input of this id already. This one is ignored.'));
    else inputs.set(input.id, input);
  });
  return [...inputs.values()];
}

function inputOf(document: JsonDocument, node: Node, index: number): McpInput | undefined {
  const fields = new EntryFields(document, { path: ['inputs', index], node, format: 'vscode' });
  if (node.type !== 'object') {
    fields.fail([], t('An input must be an object in braces.'));
    return undefined;
  }
  const type = fields.text('type', { variables: false });
  const id = fields.text('id', { variables: false });
  if (id === undefined || id === '' || id.length > MAX_ID) fields.fail(['id'], t('An input needs an “id” of at most {0} characters.', MAX_ID));
  if (type !== 'promptString' && type !== 'pickString') fields.fail(['type'], t('Gnomon knows inputs of the types “promptString” and “pickString” only.'));
  const description = fields.text('description', { variables: false }) ?? id ?? '';
  const password = fields.flag('password');
  const preset = fields.text('default', { variables: false });
  const options = type === 'pickString' ? optionsOf(fields) : undefined;
  for (const { name, nameNode } of fields.rest) fields.note([name], unknownKey(name), nameNode);
  if (fields.hasFailed() || id === undefined) return undefined;
  return { id, description, password, ...(preset === undefined ? {} : { default: preset }), ...(options === undefined ? {} : { options }) };
}

/** Options are texts, or objects with a label; the value is what counts. */
function optionsOf(fields: EntryFields): readonly string[] {
  const list = fields.take('options')?.value;
  const options = (list?.children ?? []).map((item): unknown =>
    item.type === 'object' ? propertiesOf(item).find(({ name }) => name === 'value')?.value.value : item.value,
  );
  const texts = options.filter((option) => typeof option === 'string');
  if (list?.type !== 'array' || texts.length === 0 || texts.length < options.length)
    fields.fail(['options'], t('A choice needs “options”: a list of texts.'), list);
  return texts;
}
