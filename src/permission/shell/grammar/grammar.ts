import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import { t } from '../../../domain/l10n.js';
import { deadlineFor } from '../context.js';
import { type ShellNode, copyTree } from './shell-node.js';
import { unreadable } from '../doubts.js';

/** The bytes of a WebAssembly file, or a function that reads them when they are needed. */
export type WasmSource = Uint8Array | (() => Promise<Uint8Array>);

/** The files of the package `@vscode/tree-sitter-wasm` that are needed. */
export interface GrammarFiles {
  /** `tree-sitter.wasm`. */
  readonly runtime: WasmSource;
  /** `tree-sitter-bash.wasm`. */
  readonly grammar: WasmSource;
}

/** Makes a tree of a command line. Throws UnreadableError when it is not one that the grammar knows in full. */
export type ParseLine = (text: string) => ShellNode;

/** Emscripten takes the bytes so; the types name only another way. */
type InitOptions = Parameters<typeof TreeSitter.Parser.init>[0];

/** Loads the parser and the grammar. @throws Error when a file cannot be read or is not what it should be. */
export async function loadGrammar(files: GrammarFiles): Promise<ParseLine> {
  const [{ Parser, Language }, runtime, grammar] = await Promise.all([loadPackage(), bytesOf(files.runtime), bytesOf(files.grammar)]);
  await Parser.init({ wasmBinary: runtime } as unknown as InitOptions);
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (text) => parseLine(parser, text);
}

/** The package is of the older kind, which some loaders hand over as a default export. */
async function loadPackage(): Promise<typeof TreeSitter> {
  const loaded: typeof TreeSitter & { readonly default?: typeof TreeSitter } = await import('@vscode/tree-sitter-wasm');
  return loaded.default ?? loaded;
}

async function bytesOf(source: WasmSource): Promise<Uint8Array> {
  return typeof source === 'function' ? source() : source;
}

function parseLine(parser: TreeSitter.Parser, text: string): ShellNode {
  const end = deadlineFor(text);
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
  if (tree === null) {
    // Otherwise the next parse would continue with this one.
    parser.reset();
    return unreadable(t('Analyzing it takes too long.'));
  }
  return copied(tree, end);
}

function copied(tree: TreeSitter.Tree, deadline: number): ShellNode {
  const cursor = tree.walk();
  try {
    if (tree.rootNode.hasError) unreadable(t('It is not a complete Bash command line.'));
    return copyTree(cursor, deadline);
  } finally {
    cursor.delete();
    tree.delete();
  }
}
