import * as vscode from 'vscode';
import type { SymbolPlace } from '../../domain/workspace/symbols.js';

/** The places of definitions or references, in either of the two forms that providers answer with. */
export function placesOfLocations(found: readonly (vscode.Location | vscode.LocationLink)[]): readonly SymbolPlace[] {
  return found.flatMap((each) =>
    'targetUri' in each ? placeAt(each.targetUri, (each.targetSelectionRange ?? each.targetRange).start) : placeAt(each.uri, each.range.start),
  );
}

/** Symbols of a workspace or of a file as a flat list, with the name of what contains them. */
export function placesOfSymbols(found: readonly vscode.SymbolInformation[]): readonly SymbolPlace[] {
  return found.flatMap(({ name, containerName, kind, location }) =>
    placeAt(location.uri, location.range.start, { name: qualified(containerName, bare(name)), kind: kindName(kind) }),
  );
}

/** The outline of a file, in either of the two forms that providers answer with. VS Code gives a tree the fields of both. */
export function placesOfOutline(uri: vscode.Uri, found: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]): readonly SymbolPlace[] {
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
  return [{ path: uri.fsPath, line: start.line + 1, column: start.character + 1, text: '', ...naming }];
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
