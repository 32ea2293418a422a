import * as vscode from 'vscode';
import { openInstruction, openLink } from '../links.js';
import { type ApplyDeps, applyCode } from './code/apply-code.js';
import { insertCode } from './code/insert-code.js';
import { filesAmong, openFile } from './code/workspace-files.js';
import { attachDropped, pickFiles } from './composer/attach-files.js';
import type { PageWindow } from '../../chat/ports.js';

/** What this window does for pages. */
export function pageWindow(deps: ApplyDeps): PageWindow {
  return {
    pickFiles,
    attachDropped,
    openLink,
    openInstruction,
    filesAmong,
    openFile,
    insertCode,
    copy: (text) => vscode.env.clipboard.writeText(text),
    applyCode: (code) => applyCode(code, deps),
  };
}
