import { hide, hideWord, linesOf, plainLabel, type ReadDiagram } from './labels.js';

const BLOCK = /^(?:"(?<quoted>[^"]+)"|(?<id>[\w-]+))\s*\{$/;
const ATTRIBUTE = /^(?<type>[\w[\]().,-]+)\s+(?<name>\*?[\w[\]().-]+)(?:\s+(?<keys>(?:PK|FK|UK)(?:\s*,\s*(?:PK|FK|UK))*))?$/;
const RELATION = new RegExp(
  String.raw`^(?:"(?<firstName>[^"]+)"|(?<first>[\w-]+))\s+` +
    String.raw`(?<left>\|o|\|\||\}o|\}\|)(?<line>--|\.\.)(?<right>o\||\|\||o\{|\|\{)\s+` +
    String.raw`(?:"(?<secondName>[^"]+)"|(?<second>[\w-]+))(?:\s*:\s*(?<label>.*))?$`,
);
/** Text that the library draws for an entity without attributes. */
const NO_ATTRIBUTES = '(no attributes)';

/**
 * Reads an entity relationship diagram of Mermaid (https://mermaid.js.org/syntax/entityRelationshipDiagram.html).
 * @returns `undefined` for anything in it that the library would not draw, such as aliases, comments, and cardinalities in words
 */
export function readEntities(source: string): ReadDiagram | undefined {
  const [, ...lines] = linesOf(source);
  const entities = new Map<string, string[]>();
  const relations: string[] = [];
  const labels: string[] = [];
  const entity = (name: string): string[] => {
    const attributes = entities.get(name) ?? [];
    entities.set(name, attributes);
    return attributes;
  };
  let open: string[] | undefined;
  for (const line of lines) {
    const attribute = open === undefined ? undefined : ATTRIBUTE.exec(line)?.groups;
    const block = BLOCK.exec(line)?.groups;
    const relation = open === undefined ? RELATION.exec(line)?.groups : undefined;
    if (open !== undefined && line === '}') open = undefined;
    else if (open !== undefined && attribute !== undefined) {
      const keys = (attribute['keys'] ?? '').split(/\s*,\s*/).filter((key) => key !== '');
      open.push(`${hideWord(attribute['type'] ?? '')} ${hideWord(attribute['name'] ?? '')} ${keys.join(' ')}`.trim());
      labels.push(attribute['type'] ?? '', attribute['name'] ?? '', ...(keys.length > 0 ? [keys.join(',')] : []));
    } else if (open === undefined && block !== undefined) open = entity(block['quoted'] ?? block['id'] ?? '');
    else if (relation !== undefined) {
      const [first, second] = [relation['firstName'] ?? relation['first'] ?? '', relation['secondName'] ?? relation['second'] ?? ''];
      const label = plainLabel((relation['label'] ?? '').replace(/^"(.*)"$/, '$1')) || '\u00A0';
      entity(first);
      entity(second);
      // The library knows the mark for "many" in one direction alone, and draws it in the right one.
      const link = `${(relation['left'] ?? '').replace('}', '{')}${relation['line'] ?? ''}${relation['right'] ?? ''}`;
      relations.push(`${hideWord(first)} ${link} ${hideWord(second)} : ${hide(label)}`);
      labels.push(label);
    } else if (!/^[\w-]+$/.test(line) || open !== undefined) return undefined;
    else entity(line);
  }
  if (open !== undefined || entities.size === 0) return undefined;
  const blocks = [...entities].flatMap(([name, attributes]) => [`${hideWord(name)} {`, ...attributes, '}']);
  const names = [...entities].flatMap(([name, attributes]) => [name, ...(attributes.length === 0 ? [NO_ATTRIBUTES] : [])]);
  return { text: ['erDiagram', ...blocks, ...relations].join('\n'), edges: relations.length, labels: [...names, ...labels] };
}
