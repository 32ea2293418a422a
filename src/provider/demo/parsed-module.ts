import { posix } from 'node:path';
import type { AnyNode, ExportDefaultDeclaration, ExportNamedDeclaration, ImportDeclaration, Node, Program, Token } from 'acorn';
import { parse } from 'acorn';
import { full } from 'acorn-walk';

/** Where an imported or handed-on name comes from; the name `*` stands for the whole module. */
interface Origin {
  readonly from: string;
  readonly name: string;
}

/** A JavaScript module, taken apart as far as the script needs. */
export interface ParsedModule {
  readonly path: string;
  readonly text: string;
  readonly tree: Program;
  readonly tokens: readonly Token[];
  /** Imports by local name. */
  readonly imports: ReadonlyMap<string, Origin>;
  /** Functions, classes and values of the top level by local name. */
  readonly definitions: ReadonlyMap<string, AnyNode>;
  /** Local names by exported name. */
  readonly exports: ReadonlyMap<string, string>;
  /** Names exported from elsewhere; `as` is `*` for everything of a module. */
  readonly handedOn: readonly (Origin & { readonly as: string })[];
}

interface Found {
  readonly imports: Map<string, Origin>;
  readonly definitions: Map<string, AnyNode>;
  readonly exports: Map<string, string>;
  readonly handedOn: (Origin & { as: string })[];
}

/** Takes a module apart; `undefined` when it is not JavaScript that the parser knows. */
export function parseModule(path: string, text: string): ParsedModule | undefined {
  const tokens: Token[] = [];
  try {
    const tree = parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true, onToken: tokens });
    const found: Found = { imports: new Map(), definitions: new Map(), exports: new Map(), handedOn: [] };
    for (const statement of tree.body) collect(statement, found);
    return { path, text, tree, tokens, ...found };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Every name that a piece of code refers to; names of properties are left out. */
export function namesIn(node: Node): ReadonlySet<string> {
  const names = new Set<string>();
  full(node, (inner) => {
    if (inner.type === 'Identifier') names.add(inner.name);
  });
  return names;
}

/** Where an operator is written between two places of a module. */
export function operatorBetween(module: ParsedModule, from: number, to: number, operator: string): number | undefined {
  const is = (token: Token): boolean => module.text.slice(token.start, token.end) === operator;
  return module.tokens.find((token) => token.start >= from && token.end <= to && is(token))?.start;
}

/** The paths that a relative import may mean, likeliest first; none for packages. */
export function importCandidates(importer: string, from: string): readonly string[] {
  if (!/^\.{1,2}\//.test(from)) return [];
  const path = posix.join(posix.dirname(importer), from);
  return posix.extname(path) === '' ? [`${path}.js`, `${path}.mjs`, `${path}/index.js`] : [path];
}

function collect(statement: AnyNode, found: Found): void {
  switch (statement.type) {
    case 'ImportDeclaration':
      collectImport(statement, found);
      return;
    case 'ExportNamedDeclaration':
      collectExport(statement, found);
      return;
    case 'ExportDefaultDeclaration':
      collectDefault(statement, found);
      return;
    case 'ExportAllDeclaration':
      found.handedOn.push({ from: String(statement.source.value), name: '*', as: nameOf(statement.exported) ?? '*' });
      return;
    default:
      define(statement, found);
  }
}

function collectImport(statement: ImportDeclaration, found: Found): void {
  const from = String(statement.source.value);
  for (const specifier of statement.specifiers) {
    const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : undefined;
    const whole = specifier.type === 'ImportNamespaceSpecifier' ? '*' : 'default';
    found.imports.set(specifier.local.name, { from, name: name ?? whole });
  }
}

function collectExport(statement: ExportNamedDeclaration, found: Found): void {
  if (statement.declaration) for (const name of define(statement.declaration, found)) found.exports.set(name, name);
  for (const { local, exported } of statement.specifiers) {
    const name = nameOf(local) ?? '';
    const as = nameOf(exported) ?? '';
    if (statement.source) found.handedOn.push({ from: String(statement.source.value), name, as });
    else found.exports.set(as, name);
  }
}

function collectDefault({ declaration }: ExportDefaultDeclaration, found: Found): void {
  const name = declaration.type === 'Identifier' ? declaration.name : define(declaration, found)[0];
  if (name === undefined) found.definitions.set('default', declaration);
  found.exports.set('default', name ?? 'default');
}

/** Notes what a statement defines, and returns the names. */
function define(statement: AnyNode, found: Found): readonly string[] {
  const defined: (readonly [string, AnyNode])[] = [];
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') {
    // Only `export default` has a declaration without a name, and that is noted there.
    const name = nameOf(statement.id);
    if (name !== undefined) defined.push([name, statement]);
  }
  if (statement.type === 'VariableDeclaration') {
    for (const { id, init } of statement.declarations) if (id.type === 'Identifier' && init) defined.push([id.name, init]);
  }
  for (const [name, node] of defined) found.definitions.set(name, node);
  return defined.map(([name]) => name);
}

function nameOf(node: AnyNode | null | undefined): string | undefined {
  if (node?.type === 'Identifier') return node.name;
  return node?.type === 'Literal' ? String(node.value) : undefined;
}
