import * as vscode from 'vscode';
import type { Documents, TextChange } from '../../../domain/workspace/documents.js';
import { escapeHidden } from '../../../domain/hidden-characters.js';
import { t } from '../../../domain/l10n.js';
import type { AgentSession } from '../../../engine/agent-session.js';
import type { AwaitingApproval } from '../../../engine/events.js';
import { closeTabs, type ProposalFile, type ProposalFiles, proposalIsOver, type ProposalSides } from './proposal-files.js';
import { fitsEditor } from '../../../edits/editable.js';
import { textOfSave } from '../../../tool/editing/replace.js';

/** The editors for proposed files, and the session that gets the user's decision on the call. */
export interface ProposalDeps {
  readonly files: ProposalFiles;
  readonly documents: Pick<Documents, 'read'>;
  readonly session: Pick<AgentSession, 'answer'>;
  readonly callId: string;
}

/** A call that waits for permission to write a file, and the editor in which the user looks at it and changes it. */
export class Proposal implements ProposalFile {
  present = '';
  private readonly stopped = new AbortController();
  private sides: ProposalSides | undefined;
  /** Called with the result of a change: what is wrong with it, or nothing. */
  private settle: ((problem: string | undefined) => void) | undefined;

  constructor(
    private readonly deps: ProposalDeps,
    private asking: AwaitingApproval,
  ) {}

  get text(): string {
    return this.change.text;
  }

  /** Where an editor shows it; `undefined` until one did. */
  get uri(): vscode.Uri | undefined {
    return this.sides?.proposed;
  }

  /** Whether an editor has unsaved text of it, which was not judged yet. */
  get isUnsaved(): boolean {
    return this.document?.isDirty === true;
  }

  /** Takes the next prompt of the call. */
  ask(asking: AwaitingApproval): void {
    const before = this.text;
    const { settle } = this;
    this.asking = asking;
    this.settle = undefined;
    settle?.(asking.problem);
    // What was saved just now is in the editor already.
    if (settle === undefined && this.sides !== undefined && before !== this.text) this.deps.files.refresh(this.sides);
  }

  /** Shows it beside the file as it is. Returns whether it is shown: the call may have been answered meanwhile. */
  async show(): Promise<boolean> {
    this.present = await this.read();
    if (this.isOver()) return false;
    const known = this.sides;
    const sides = known ?? this.deps.files.add(this.path, this);
    this.sides = sides;
    // Whatever encoding the user prefers for files: this text never was in one.
    if (known === undefined) await vscode.workspace.openTextDocument(sides.proposed, { encoding: 'utf8' });
    else this.deps.files.refresh(sides);
    await vscode.commands.executeCommand('vscode.diff', sides.present, sides.proposed, t('{0}: proposed by Gnomon', this.name), { preview: false });
    // It may have been answered while the editor opened.
    if (!this.isOver()) return true;
    await this.end();
    return false;
  }

  /** Has the call judged again with what the user saved. */
  async save(bytes: Uint8Array): Promise<void> {
    const text = await textOfSave(await this.decode(bytes), this.text, this.stopped.signal);
    if (text === this.text) return;
    const outcome = new Promise<string | undefined>((resolve) => (this.settle = resolve));
    const amendment = { type: 'content' as const, path: this.change.path, text };
    if (!this.answer({ type: 'revise', amendment })) throw new Error(proposalIsOver());
    const problem = await outcome;
    if (problem !== undefined) throw new Error(problem);
  }

  /** Allows exactly what the editor shows: what is not saved is judged first. */
  async allow(): Promise<void> {
    const seen = this.asking;
    // When it cannot be saved, VS Code says why.
    if (this.isUnsaved && (await this.document?.save()) !== true) return;
    const { judgment } = this.asking;
    const isNew = judgment.strict === true && !judgment.reasons.every((reason) => seen.judgment.reasons.includes(reason));
    if (this.isUnsaved) this.tell(t('{0} was changed while it was being saved. Select Allow again.', this.name));
    else if (isNew) this.tell(t('Your change needs another confirmation: {0} Select Allow again to confirm.', judgment.reasons.join(' ')));
    else if (!this.answer({ type: 'allow' })) this.tell(proposalIsOver());
  }

  /** Denies the call. */
  deny(): void {
    if (!this.answer({ type: 'deny' })) this.tell(proposalIsOver());
  }

  /** The call was answered or cancelled: closes the editor, unless that would lose what the user has written. */
  async end(): Promise<void> {
    this.stopped.abort();
    this.settle?.(proposalIsOver());
    if (this.sides === undefined) return;
    const { proposed } = this.sides;
    const address = proposed.toString();
    this.deps.files.remove(this.sides);
    const kept = await closeTabs((uri) => uri.toString() === address);
    if (kept)
      this.tell(t('The request to change {0} ended before you saved your edits, so the editor was left open. Copy what you need, then close it.', this.name));
  }

  private isOver(): boolean {
    return this.stopped.signal.aborted;
  }

  private get change(): TextChange {
    const [change] = this.asking.plan.changes;
    if (change === undefined || change.action === 'delete') throw new TypeError('This call writes no file.');
    return change;
  }

  private get path(): string {
    const { preview } = this.asking.plan;
    return preview.kind === 'diff' ? preview.path : this.change.path;
  }

  private get name(): string {
    return escapeHidden(this.path.split(/[\\/]/).at(-1) ?? this.path);
  }

  private get document(): vscode.TextDocument | undefined {
    const address = this.uri?.toString();
    return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address);
  }

  private answer(answer: Parameters<AgentSession['answer']>[1]): boolean {
    return this.deps.session.answer(this.deps.callId, answer, this.asking.revision);
  }

  private async read(): Promise<string> {
    const { action, path } = this.change;
    if (action === 'create') return '';
    const file = await this.deps.documents.read(path, this.stopped.signal);
    if (file.kind === 'text' && fitsEditor(file.text)) return file.text;
    throw new Error(t('{0} cannot be shown in an editor.', this.name));
  }

  /** The user can have it saved in any encoding. */
  private async decode(bytes: Uint8Array): Promise<string> {
    const encoding = this.document?.encoding ?? 'utf8';
    if (!encoding.startsWith('utf8')) return vscode.workspace.decode(bytes, { encoding });
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  private tell(words: string): void {
    void vscode.window.showWarningMessage(words);
  }
}
