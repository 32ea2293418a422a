// Not part of Gnomon: what a user of `npm start` came to see is there without a click.
import { commands } from 'vscode';

/** Called by VS Code once it has started. */
export const activate = () => commands.executeCommand('gnomon.chat.focus');
