import { SharedWrites } from '../../src/tool/calls/shared-writes.js';
import * as vscode from 'vscode';
import { createDiskDocuments } from '../../src/node/files/disk-documents.js';
import { type Toolbox, createToolbox } from '../../src/agent-host/toolbox.js';
import { createVsCodeDiagnostics } from '../../src/vscode/language/diagnostics.js';
import { createVsCodeSymbols } from '../../src/vscode/language/symbols.js';
import { searchWith } from '../../src/vscode/workspace/find-files-search.js';
import { createVsCodeDocuments } from '../../src/vscode/workspace/vscode-documents.js';
import { createVsCodeWorkspace } from '../../src/vscode/workspace/folders.js';
import { UNUSED } from '../support/sandboxes.js';

/** The tools with what this window has. @param logFolder absolute path of the folder for logs of long outputs */
export function windowToolbox(logFolder: string): Toolbox {
  const readGuard = () => Promise.resolve(() => true);
  const diagnostics = createVsCodeDiagnostics();
  const toolbox = createToolbox({
    sandbox: UNUSED,
    workspace: createVsCodeWorkspace(),
    logFolder,
    documents: createVsCodeDocuments(createDiskDocuments()),
    search: searchWith(vscode.env.appRoot, readGuard),
    diagnostics,
    symbols: createVsCodeSymbols(),
    readGuard,
    env: process.env,
    writes: new SharedWrites(() => ''),
    variables: () => [],
  });
  return {
    ...toolbox,
    dispose: () => {
      toolbox.dispose();
      diagnostics.dispose();
    },
  };
}
