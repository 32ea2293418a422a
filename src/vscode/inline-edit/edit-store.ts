import * as vscode from 'vscode';
import { type InlineEditEvent, type InlineEditState, newInlineEdit, reduceInlineEdit } from '../../inline-edit/edit-state.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';

/** The state of one inline edit, for those who change it and those who show it. */
export class EditStore {
  private readonly changed = new vscode.EventEmitter<InlineEditState>();
  private current: InlineEditState;
  /** Fired with the state before a change. */
  readonly onDidChange = this.changed.event;

  /** @param region the lines that the edit is about. */
  constructor(region: LineRegion) {
    this.current = newInlineEdit(region);
  }

  get state(): InlineEditState {
    return this.current;
  }

  dispatch(event: InlineEditEvent): void {
    const before = this.current;
    this.current = reduceInlineEdit(before, event);
    if (this.current !== before) this.changed.fire(before);
  }
}
