import * as vscode from 'vscode';
import type { Documents } from '../../domain/workspace/documents.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import type { SymbolPlace, SymbolQuery, Symbols } from '../../domain/workspace/symbols.js';
import { uriOf } from '../edits/paths.js';
import { askServers } from './ask-servers.js';
import { columnOf } from './column.js';
import { placesOfLocations, placesOfOutline, placesOfSymbols } from './places.js';
import { withSourceLines } from './source-lines.js';

/** Places that one question gives at most. */
const MOST_PLACES = 200;

/** What the language servers of this window know. Lines are read through `documents`, and only in the open folders. */
export function createVsCodeSymbols(documents: Documents): Symbols {
  const locations = async (command: string, query: SymbolQuery, signal: AbortSignal): Promise<readonly SymbolPlace[]> => {
    const { document, position } = await positionOf(query);
    const found = await askServers<vscode.Location | vscode.LocationLink>(signal, command, document.uri, position);
    return withSourceLines(placesOfLocations(found).slice(0, MOST_PLACES), { documents, mayRead: isInWorkspace, signal });
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

function isInWorkspace(path: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path)) !== undefined;
}
