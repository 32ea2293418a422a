import * as vscode from 'vscode';
import { assertNever } from '../../../domain/assert-never.js';

/** The commands about the next edit that is shown. */
export const NEXT_EDIT_COMMANDS = ['gnomon.jumpToNextEdit', 'gnomon.acceptNextEdit', 'gnomon.dismissNextEdit'] as const;
/** One of them. */
export type NextEditCommand = (typeof NEXT_EDIT_COMMANDS)[number];

/** Argument of keybindings that have another meaning when no edit is shown any more. */
const TAB = 'tab';

/** Commands for the predicted edit. Each returns whether there was one. */
export interface NextEditControls {
  /** Goes to it. */
  jump(): boolean;
  /** Takes it. */
  accept(): boolean;
  /** Wants it neither now nor later. */
  dismiss(): boolean;
}

/** Carries out a command. When the key came just as the edit went away, it is the key that it is everywhere else. */
export async function controlNextEdit(controls: NextEditControls | undefined, id: NextEditCommand, key: unknown): Promise<void> {
  if (!done(controls, id) && key === TAB) await vscode.commands.executeCommand(TAB);
}

function done(controls: NextEditControls | undefined, id: NextEditCommand): boolean {
  if (controls === undefined) return false;
  switch (id) {
    case 'gnomon.jumpToNextEdit':
      return controls.jump();
    case 'gnomon.acceptNextEdit':
      return controls.accept();
    case 'gnomon.dismissNextEdit':
      return controls.dismiss();
    default:
      return assertNever(id);
  }
}
