import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** A call of `t` in a source. */
export interface TextCall {
  /** File and line, for people. */
  readonly place: string;
  /** The English text; `undefined` when the first argument is no literal. */
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
      const key = first !== undefined && ts.isStringLiteralLike(first) ? first.text : undefined;
      calls.push({ place: `${file}:${line + 1}`, key, atLoad: !inFunction, ...(values.some(ts.isSpreadElement) ? {} : { values: values.length }) });
    }
    ts.forEachChild(node, (child) => visit(child, inFunction || ts.isFunctionLike(node)));
  };
  visit(source, false);
  return calls;
}

/** Components are no TypeScript as a whole; what stands behind `t(` is read with its scanner. */
function callsInComponent(file: string, text: string): readonly TextCall[] {
  return Array.from(text.matchAll(CALL), ({ index }) => {
    const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text.slice(index + 2));
    const kind = scanner.scan();
    const key = scanner.getTokenValue();
    const isLiteral = kind === ts.SyntaxKind.StringLiteral || kind === ts.SyntaxKind.NoSubstitutionTemplateLiteral;
    const next = scanner.scan();
    const isAlone = next === ts.SyntaxKind.CommaToken || next === ts.SyntaxKind.CloseParenToken;
    const place = `${file}:${text.slice(0, index).split('\n').length}`;
    return { place, key: isLiteral && isAlone ? key : undefined };
  });
}

/** The places for values in a text, such as `{0}`, each once and sorted. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set(text.match(/\{\d+\}/g))].sort();
}
