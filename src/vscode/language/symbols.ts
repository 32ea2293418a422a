import * as vscode from 'vscode';
import { errorMessage, ToolInputError, AbortError } from '../../domain/errors.js';
import type { SymbolPlace, SymbolQuery, Symbols } from '../../domain/workspace/code-intelligence.js';
import { uriOf } from '../workspace/paths.js';
import { columnOf } from '../../text/columns.js';

/** Places that one question gives at most. */
const MOST_PLACES = 2_000;

/** Symbols from the language servers of this window. */
export function createVsCodeSymbols(): Symbols {
  const locations = async (command: string, query: SymbolQuery, signal: AbortSignal): Promise<readonly SymbolPlace[]> => {
    const { document, position } = await positionOf(query);
    const found = await askServers<vscode.Location | vscode.LocationLink>(signal, command, document.uri, position);
    return placesOfLocations(found).slice(0, MOST_PLACES);
  };
  return {
    definitions: (query, signal) => locations('vscode.executeDefinitionProvider', query, signal),
    references: (query, signal) => locations('vscode.executeReferenceProvider', query, signal),
    async search(name, signal) {
      const found = await askServers<vscode.SymbolInformation>(signal, 'vscode.executeWorkspaceSymbolProvider', name);
      return placesOfSymbols(found).slice(0, MOST_PLACES);
    },
    async outline(path, signal) {
      const { uri } = await documentAt(path);
      const found = await askServers<vscode.DocumentSymbol | vscode.SymbolInformation>(signal, 'vscode.executeDocumentSymbolProvider', uri);
      return placesOfOutline(uri, found).slice(0, MOST_PLACES);
    },
  };
}

async function positionOf({ path, line, name }: SymbolQuery): Promise<{ document: vscode.TextDocument; position: vscode.Position }> {
  const document = await documentAt(path);
  const text = line <= document.lineCount ? document.lineAt(line - 1).text : undefined;
  if (text === undefined) throw new ToolInputError(`${path} has only ${document.lineCount} lines; there is no line ${line}. Read it again.`);
  const column = columnOf(text, name);
  if (column === undefined) throw new ToolInputError(`Line ${line} of ${path} does not hold the name ${name}. It reads: ${text.trim().slice(0, 200)}`);
  return { document, position: new vscode.Position(line - 1, column) };
}

async function documentAt(path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uriOf(path));
  } catch (error) {
    throw new ToolInputError(`${path} cannot be opened in the editor: ${errorMessage(error)}`);
  }
}

/** Longest wait for the language servers, in milliseconds; a large project takes some seconds to load. */
const ANSWER_MS = 10_000;
const LATE = `The language server did not answer within ${ANSWER_MS / 1_000} seconds. It may still be loading: try again, or use grep.`;

/**
 * Runs one of VS Code's commands that ask language servers. Such a command cannot be called off: on a stop or after the
 * limit its answer is left unread.
 * @returns an empty list where no server answers
 * @throws ToolInputError when it takes too long
 */
async function askServers<T>(signal: AbortSignal, command: string, ...args: readonly unknown[]): Promise<readonly T[]> {
  if (signal.aborted) throw new AbortError();
  let tidy = (): void => undefined;
  const answer = new Promise<readonly T[]>((resolve, reject) => {
    const stop = (): void => reject(new AbortError());
    const late = setTimeout(() => reject(new ToolInputError(LATE)), ANSWER_MS);
    signal.addEventListener('abort', stop, { once: true });
    tidy = () => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
    };
    vscode.commands.executeCommand<readonly T[] | undefined>(command, ...args).then((found) => resolve(found ?? []), reject);
  });
  return answer.finally(tidy);
}

/** The places of definitions or references, in either of the two forms that providers answer with. */
function placesOfLocations(found: readonly (vscode.Location | vscode.LocationLink)[]): readonly SymbolPlace[] {
  return found.flatMap((each) =>
    'targetUri' in each ? placeAt(each.targetUri, (each.targetSelectionRange ?? each.targetRange).start) : placeAt(each.uri, each.range.start),
  );
}

/** Symbols of a workspace or of a file as a flat list, with the name of what contains them. */
function placesOfSymbols(found: readonly vscode.SymbolInformation[]): readonly SymbolPlace[] {
  return found.flatMap(({ name, containerName, kind, location }) =>
    placeAt(location.uri, location.range.start, { name: qualified(containerName, bare(name)), kind: kindName(kind) }),
  );
}

/** The outline of a file, in either of the two forms that providers answer with. VS Code gives a tree the fields of both. */
function placesOfOutline(uri: vscode.Uri, found: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]): readonly SymbolPlace[] {
  return found.flatMap((symbol) => ('children' in symbol ? placesOfTree(uri, symbol, '') : placesOfSymbols([symbol])));
}

function placesOfTree(uri: vscode.Uri, symbol: vscode.DocumentSymbol, container: string): readonly SymbolPlace[] {
  const name = qualified(container, symbol.name);
  const own = placeAt(uri, symbol.selectionRange.start, { name, kind: kindName(symbol.kind) });
  return [...own, ...symbol.children.flatMap((child) => placesOfTree(uri, child, name))];
}

/** A place in a file of this machine; servers may also name documents that exist only in the editor, which no tool can read. */
function placeAt(uri: vscode.Uri, start: vscode.Position, naming: { name?: string; kind?: string } = {}): readonly SymbolPlace[] {
  if (uri.scheme !== 'file') return [];
  return [{ path: uri.fsPath, line: start.line + 1, column: start.character + 1, ...naming }];
}

/** VS Code's own extension for JavaScript and TypeScript writes functions of a workspace with parentheses, as in `parseTime()`. */
function bare(name: string): string {
  return name.endsWith('()') ? name.slice(0, -2) : name;
}

function qualified(container: string, name: string): string {
  return container === '' ? name : `${container}.${name}`;
}

function kindName(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].toLowerCase();
}
