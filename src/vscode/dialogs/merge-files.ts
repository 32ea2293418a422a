import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { MergeRequest } from '../../domain/host/dialogs.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { hasOpenConflicts } from '../../edits/open-conflicts.js';
import { showName } from '../../text/show.js';

/** The scheme of the files that the merge editor shows. What it saves comes here, and not into the file of the user. */
const SCHEME = 'gnomon-merge';
/** The command of VS Code that opens its merge editor; it is not part of its API, so it can be missing. */
const OPEN = '_open.mergeEditor';

/** Merges whose texts are kept; what older ones save is refused. */
const MAX_MERGES = 50;

/** Milliseconds in which a merge editor has begun; one that takes longer does not keep the others from being opened. */
const BEGIN_MS = 10_000;

/** A side of a merge. */
type Side = 'base' | 'here' | 'there' | 'result';

interface Merge {
  readonly request: MergeRequest;
  /** What VS Code last saved; before that, what is merged already. */
  result: { readonly bytes: Uint8Array; readonly at: number };
  /** Whether that was written into the file of the user. */
  isWritten: boolean;
}

/** The files of merges that are open. */
class MergeFiles implements vscode.FileSystemProvider {
  private readonly merges = new Map<string, Merge>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  /** Files that are being saved without the user having asked for that. */
  private readonly saving = new Set<string>();

  constructor() {
    // For the life of the extension host, as the module has it.
    vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true });
    vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
      if (uri.scheme !== SCHEME) return;
      if (reason === vscode.TextDocumentSaveReason.Manual) this.saving.delete(uri.toString());
      else this.saving.add(uri.toString());
    });
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === SCHEME && sideOf(uri) === 'result') void this.closed(uri.authority);
    });
  }

  add(request: MergeRequest): string {
    const authority = randomUUID();
    const [oldest] = this.merges.keys();
    if (this.merges.size >= MAX_MERGES && oldest !== undefined) this.merges.delete(oldest);
    this.merges.set(authority, { request, result: { bytes: Buffer.from(request.marked), at: Date.now() }, isWritten: true });
    return authority;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { result } = this.mergeOf(uri);
    const size = this.readFile(uri).length;
    const stat = { type: vscode.FileType.File, ctime: 0, mtime: result.at, size };
    return sideOf(uri) === 'result' ? stat : { ...stat, mtime: 0, permissions: vscode.FilePermission.Readonly };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const { request, result } = this.mergeOf(uri);
    const side = sideOf(uri);
    return side === 'result' ? result.bytes : Buffer.from(request[side]);
  }

  async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    if (sideOf(uri) !== 'result') throw vscode.FileSystemError.NoPermissions(uri);
    const merge = this.mergeOf(uri);
    // Saved by a timer, it may be half done.
    const isWritten = !this.saving.delete(uri.toString());
    if (isWritten) {
      refusePlainText(uri, merge.request);
      const text = await vscode.workspace.decode(bytes, { uri });
      if ((await hasConflicts(merge.request, text)) && !(await isWanted(merge.request)))
        throw vscode.FileSystemError.Unavailable(t('{0} still has conflicts, so it was not written.', showName(merge.request.name)));
      await write(merge.request, text);
    }
    merge.isWritten = isWritten;
    merge.result = { bytes, at: Date.now() };
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  private mergeOf(uri: vscode.Uri): Merge {
    const merge = this.merges.get(uri.authority);
    if (merge === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return merge;
  }

  /** Asks about what was only saved by a timer when its editor is closed. */
  private async closed(authority: string): Promise<void> {
    const merge = this.merges.get(authority);
    if (merge === undefined || merge.isWritten) return;
    const { request, result } = merge;
    try {
      const text = await vscode.workspace.decode(result.bytes, { uri: uriOf('result', authority, request.name) });
      const [question, yes] = (await hasConflicts(request, text))
        ? [openQuestion(request), t('Write It as It Is')]
        : [t('Apply what you merged in {0}?', showName(request.name)), t('Apply')];
      if ((await vscode.window.showWarningMessage(question, yes)) !== yes) return;
      await write(request, text);
      merge.isWritten = true;
    } catch (error) {
      void vscode.window.showWarningMessage(errorMessage(error));
    }
  }
}

/** @throws FileSystemError with a sentence for the user, which VS Code shows */
async function write(request: MergeRequest, text: string): Promise<void> {
  try {
    await request.save(text);
  } catch (error) {
    throw vscode.FileSystemError.Unavailable(errorMessage(error));
  }
}

async function hasConflicts(request: MergeRequest, text: string): Promise<boolean> {
  const { diffArrays } = await import('../../text/diffs.js');
  return hasOpenConflicts(request, text, diffArrays);
}

function openQuestion({ name }: MergeRequest): string {
  return t('{0} still has conflicts. Write it as it is?', showName(name));
}

/** Asks whether a result is to be written that still has conflicts. */
async function isWanted(request: MergeRequest): Promise<boolean> {
  const detail = t(
    'Where nothing was chosen yet, there are neither your lines nor those of {0}, but those that were there before both. Your lines there would be lost.',
    request.author,
  );
  // The first one is what Enter chooses.
  const choices = [t('Continue Merging'), t('Write It as It Is')] as const;
  return (await vscode.window.showWarningMessage(openQuestion(request), { modal: true, detail }, ...choices)) === choices[1];
}

/**
 * Refuses to write a result which a plain editor shows in place of the merge editor: one does not see there what is still to be decided.
 * @throws FileSystemError with a sentence for the user
 */
function refusePlainText(uri: vscode.Uri, { name }: MergeRequest): void {
  const isPlain = tabs().some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
  if (!isPlain || mergeTabOf(uri) !== undefined) return;
  throw vscode.FileSystemError.Unavailable(t('{0} is written from the merge editor only. Apply the changes again to merge it there.', showName(name)));
}

function tabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** The tab of the merge editor for a result. What its input is like is not part of the API of VS Code. */
function mergeTabOf(result: vscode.Uri): vscode.Tab | undefined {
  return tabs().find(({ input }) => input instanceof Object && 'result' in input && String(input.result) === result.toString());
}

let files: MergeFiles | undefined;

/** Whether VS Code has a merge editor. */
async function hasMergeEditor(): Promise<boolean> {
  return (await vscode.commands.getCommands(false)).includes(OPEN);
}

/**
 * Has the user merge files: in VS Code’s merge editor, or by choosing whose lines count where both have changed the same.
 * @param inEditor whether the first is there
 */
export async function mergeFiles(requests: readonly MergeRequest[], inEditor: boolean | Promise<boolean> = hasMergeEditor()): Promise<void> {
  const isEditor = await inEditor;
  const open = isEditor ? openMerge : chooseSide;
  // The merge editor does not say that its result has to be saved.
  if (isEditor)
    void vscode.window.showInformationMessage(t('Save the merge to write it into your file. If you close it without saving, your file stays as it is.'));
  for (const request of requests) {
    try {
      await open(request);
    } catch (error) {
      // The others can be merged all the same.
      void vscode.window.showWarningMessage(errorMessage(error));
    }
  }
}

async function openMerge(request: MergeRequest): Promise<void> {
  const { name, author } = request;
  files ??= new MergeFiles();
  const authority = files.add(request);
  const result = uriOf('result', authority, name);
  await vscode.commands.executeCommand(OPEN, {
    base: uriOf('base', authority, name),
    // VS Code calls the first one “incoming”, and the second one “current”.
    input1: { uri: uriOf('there', authority, name), title: author, description: name, detail: '' },
    input2: { uri: uriOf('here', authority, name), title: t('Yours'), description: name, detail: '' },
    output: result,
  });
  await begun(result, request);
}

/**
 * Waits until a merge editor has begun, and has it stay. The next one would take the place of one that is only a preview, and VS Code would show
 * the result of that as plain text.
 */
async function begun(result: vscode.Uri, { marked }: MergeRequest): Promise<void> {
  const { onDidChangeTabs } = vscode.window.tabGroups;
  await happens([onDidChangeTabs], () => mergeTabOf(result) !== undefined);
  const tab = mergeTabOf(result);
  // What is kept is the editor that has the focus.
  if (tab?.isActive === true && tab.group.isActive) await vscode.commands.executeCommand('workbench.action.keepEditor');
  // The marks are replaced by what VS Code begins with, or the user has closed the editor.
  const hasText = (document: vscode.TextDocument): boolean => document.uri.toString() === result.toString() && document.getText() !== marked;
  await happens(
    [vscode.workspace.onDidChangeTextDocument, onDidChangeTabs],
    () => mergeTabOf(result) === undefined || vscode.workspace.textDocuments.some(hasText),
  );
}

/** Waits until something is so, looking at it when one of the events comes; {@link BEGIN_MS} at most. */
async function happens(events: readonly vscode.Event<unknown>[], isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  const listeners: vscode.Disposable[] = [];
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, BEGIN_MS);
    for (const event of events) event(() => isSo() && resolve(), undefined, listeners);
  });
  clearTimeout(timer);
  for (const listener of listeners) listener.dispose();
}

/** Lets the user compare both with the version that they come from, and choose. They decide about each hunk afterwards, as about any change. */
async function chooseSide(request: MergeRequest): Promise<void> {
  const { name, author } = request;
  files ??= new MergeFiles();
  const authority = files.add(request);
  const compare = async (side: 'here' | 'there', whose: string): Promise<boolean> => {
    const title = t('{0} (base ↔ {1})', name, whose);
    await vscode.commands.executeCommand('vscode.diff', uriOf('base', authority, name), uriOf(side, authority, name), title);
    return false;
  };
  const acts = [
    { label: `$(diff) ${t('Compare the Base with Yours')}`, act: () => compare('here', t('Yours')) },
    { label: `$(diff) ${t('Compare the Base with {0}', author)}`, act: () => compare('there', author) },
    { label: `$(account) ${t('Use Yours')}`, act: () => request.save(request.here).then(() => true) },
    {
      label: `$(check) ${t('Use the Lines of {0}', author)}`,
      detail: t('What only you have changed stays. Keep or undo each change afterwards.'),
      act: () => request.save(request.theirs).then(() => true),
    },
  ];
  for (let isDone = false; !isDone;) {
    const chosen = await vscode.window.showQuickPick(acts, { title: showName(name), placeHolder: t('Both have changed the same lines'), ignoreFocusOut: true });
    isDone = chosen === undefined || (await chosen.act());
  }
}

/** The result has the path alone, which VS Code shows beside it. */
function uriOf(side: Side, authority: string, name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, authority, path: `/${name}`, query: side === 'result' ? '' : side });
}

function sideOf({ query }: vscode.Uri): Side {
  return query === 'base' || query === 'here' || query === 'there' ? query : 'result';
}
