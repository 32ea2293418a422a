import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** A call of `t` in a source. */
export interface TextCall {
  /** File and line, for people. */
  readonly place: string;
  /** The English text; `undefined` when the first argument is no literal, and not several joined by `+`. */
  readonly key: string | undefined;
  /** How many values it is given; `undefined` where that is not looked at or not known. */
  readonly values?: number;
  /** Whether it is made as soon as its file is loaded, before anybody could choose a language. */
  readonly atLoad?: boolean;
}

/** Every call of `t` in the sources below some folders. */
export async function textCalls(...folders: readonly string[]): Promise<readonly TextCall[]> {
  const files = (await Promise.all(folders.map(sourcesIn))).flat();
  const calls = await Promise.all(files.map(async (file) => callsIn(file, await readFile(file, 'utf8'))));
  return calls.flat();
}

async function sourcesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.(?:ts|svelte)$/.test(name)).map((name) => join(folder, name));
}

/** Where a call of `t` may begin. */
const CALL = /(?<![\w.$])t\(/g;

function callsIn(file: string, text: string): readonly TextCall[] {
  if (text.search(CALL) < 0) return [];
  return file.endsWith('.ts') ? callsInScript(file, text) : callsInComponent(file, text);
}

function callsInScript(file: string, text: string): readonly TextCall[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const calls: TextCall[] = [];
  const visit = (node: ts.Node, inFunction: boolean): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't') {
      const [first, ...values] = node.arguments;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      calls.push({
        place: `${file}:${line + 1}`,
        key: first === undefined ? undefined : textOf(first),
        atLoad: !inFunction,
        ...(values.some(ts.isSpreadElement) ? {} : { values: values.length }),
      });
    }
    ts.forEachChild(node, (child) => visit(child, inFunction || ts.isFunctionLike(node)));
  };
  visit(source, false);
  return calls;
}

/** The text of a literal, or of several that are joined because one line would be too long. */
function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** Components are no TypeScript as a whole; what stands behind `t(` is read with its scanner. */
function callsInComponent(file: string, text: string): readonly TextCall[] {
  return Array.from(text.matchAll(CALL), ({ index }) => {
    const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text.slice(index + 2));
    const place = `${file}:${text.slice(0, index).split('\n').length}`;
    let key = '';
    for (;;) {
      const kind = scanner.scan();
      if (kind !== ts.SyntaxKind.StringLiteral && kind !== ts.SyntaxKind.NoSubstitutionTemplateLiteral) return { place, key: undefined };
      key += scanner.getTokenValue();
      const next = scanner.scan();
      if (next === ts.SyntaxKind.CommaToken || next === ts.SyntaxKind.CloseParenToken) return { place, key };
      if (next !== ts.SyntaxKind.PlusToken) return { place, key: undefined };
    }
  });
}

/** The places for values in a text, such as `{0}`, each once and sorted. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set(text.match(/\{\d+\}/g))].sort();
}
