import { present } from '../domain/present.js';
import { type Node, type ParseError, createScanner, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ConfigProblem } from '../domain/config/problem.js';
import { t } from '../domain/l10n.js';
import { eachLine } from './lines.js';
import { keyPath } from './key-path.js';

/** Maximum nesting of objects and lists, as the parser is recursive. Valid files have at most 6 levels. */
const MAX_DEPTH = 200;
/** Problems of one file that are reported; a hostile file could have one in each byte. */
const MAX_PROBLEMS = 200;
/** Kinds of tokens of the scanner: the library has them as an enumeration that exists only for its own compiler. */
const OPENING: ReadonlySet<number> = new Set([1, 3]);
const CLOSING: ReadonlySet<number> = new Set([2, 4]);
const END_OF_FILE = 17;

/** A property of an object in a document. */
export interface Property {
  readonly name: string;
  /** Where the name is. */
  readonly nameNode: Node;
  readonly value: Node;
}

/** A configuration file while it is read: JSON, also with comments and trailing commas, that knows its lines and collects what is wrong. */
export class JsonDocument {
  /** `undefined` when the text as a whole cannot be used; the problems say why. */
  readonly root: Node | undefined;
  private readonly found: ConfigProblem[] = [];
  private readonly lineStarts: readonly number[];

  /**
   * @param file names it in problems
   * @param lenient whether the programs that the file is for accept comments and trailing commas as well
   */
  constructor(
    private readonly file: string,
    text: string,
    { lenient, hasLines = true }: { readonly lenient: boolean; readonly hasLines?: boolean },
  ) {
    const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
    this.lineStarts = hasLines ? [...eachLine(json)].map(({ start }) => start) : [];
    if (json !== text && !lenient) this.add([], undefined, t('The file starts with a byte order mark, which other programs may not accept.'), true);
    this.root = this.parse(json, lenient);
  }

  get problems(): readonly ConfigProblem[] {
    if (this.found.length <= MAX_PROBLEMS) return this.found;
    const left = this.found.length - MAX_PROBLEMS;
    const gravest = [...this.found].sort((a, b) => Number(a.harmless ?? false) - Number(b.harmless ?? false));
    return [...gravest.slice(0, MAX_PROBLEMS), { file: this.file, key: '', message: t('{0} more problems are not listed.', left), harmless: true }];
  }

  /** Notes that something cannot be used. @param path of keys to the place */
  add(path: readonly (string | number)[], node: Pick<Node, 'offset'> | undefined, message: string, harmless = false): void {
    const line = node === undefined ? undefined : this.lineOf(node);
    this.found.push({ file: this.file, key: keyPath(path), ...present({ line }), message, ...(harmless ? { harmless } : {}) });
  }

  /** From 1 on; `undefined` where there are no lines. */
  lineOf({ offset }: Pick<Node, 'offset'>): number | undefined {
    if (this.lineStarts.length === 0) return undefined;
    let low = 0;
    for (let high = this.lineStarts.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  private parse(json: string, lenient: boolean): Node | undefined {
    if (json.trim() === '') this.add([], undefined, t('The file is empty.'));
    else if (depthOf(json) > MAX_DEPTH) this.add([], undefined, t('The file is nested more than {0} levels deep.', MAX_DEPTH));
    else {
      const errors: ParseError[] = [];
      const root = parseTree(json, errors, { allowTrailingComma: true });
      const [error] = errors;
      if (error === undefined && !lenient) this.noteExtensions(json);
      if (error === undefined) return root;
      this.add([], error, syntaxProblem(error));
    }
    return undefined;
  }

  private noteExtensions(json: string): void {
    const strict: ParseError[] = [];
    parseTree(json, strict, { disallowComments: true, allowTrailingComma: false });
    const [extension] = strict;
    if (extension === undefined) return;
    const message =
      printParseErrorCode(extension.error) === 'InvalidCommentToken'
        ? t('Comments are not part of JSON, so other programs may not accept the file.')
        : t('Trailing commas are not part of JSON, so other programs may not accept the file.');
    this.add([], extension, message, true);
  }
}

/** The properties of an object, in the order of the file; none for anything else. */
export function propertiesOf(node: Node | undefined): readonly Property[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children }) => {
    const [nameNode, value] = children ?? [];
    return nameNode === undefined || value === undefined ? [] : [{ name: String(nameNode.value), nameNode, value }];
  });
}

/** Nesting depth of the brackets in a text, whether they match or not. */
function depthOf(json: string): number {
  const scanner = createScanner(json, true);
  let depth = 0;
  let deepest = 0;
  for (let token: number = scanner.scan(); token !== END_OF_FILE; token = scanner.scan()) {
    if (OPENING.has(token)) depth += 1;
    if (CLOSING.has(token)) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function syntaxProblem({ error }: ParseError): string {
  switch (printParseErrorCode(error)) {
    case 'CommaExpected':
      return t('The file is not valid JSON: a comma is missing.');
    case 'ColonExpected':
      return t('The file is not valid JSON: a colon is missing.');
    case 'PropertyNameExpected':
      return t('The file is not valid JSON: a name in double quotes is missing.');
    case 'ValueExpected':
      return t('The file is not valid JSON: a value is missing.');
    case 'CloseBraceExpected':
    case 'CloseBracketExpected':
      return t('The file is not valid JSON: a closing bracket is missing.');
    case 'EndOfFileExpected':
      return t('The file is not valid JSON: there is more text after its end.');
    default:
      return t('The file is not valid JSON: there is something that does not belong there.');
  }
}
