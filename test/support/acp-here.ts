import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { TestEditor } from './acp-editor.js';
import { inEnvironment, ProgramHere } from './entries/program-here.js';
import { MODEL } from './entries/entry.js';
import { type ModelServer, startModelServer } from './model-server/index.js';
import { temporaryFolder } from './temporary-folder.js';

/** An editor with the agent in this process, and what both work with. */
export interface EditorHere {
  readonly editor: TestEditor<ProgramHere>;
  readonly server: ModelServer;
  /** Absolute paths of the folder to work in, and of the home folder. */
  readonly folder: string;
  readonly home: string;
  /** The id of a session that was begun. */
  readonly id: string;
}

/** Connects an editor with an agent, and begins a session; both end with the test. @param capabilities what the editor can do */
export async function editorHere(capabilities: ClientCapabilities = {}, ...args: readonly string[]): Promise<EditorHere> {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  return editorIn({ server, folder: temporaryFolder(), home: temporaryFolder() }, capabilities, ...args);
}

/** The same in a place that is there. */
export async function editorIn(
  place: Pick<EditorHere, 'server' | 'folder' | 'home'>,
  capabilities: ClientCapabilities,
  ...args: readonly string[]
): Promise<EditorHere> {
  const { server, folder, home } = place;
  const environment = inEnvironment(home, server.url);
  const editor = new TestEditor(new ProgramHere({ args: ['acp', '--model', MODEL, ...args], folder, environment }));
  onTestFinished(async () => {
    editor.program.process.stdin.end();
    await editor.program.end;
  });
  await editor.initialize(capabilities);
  return { ...place, editor, id: (await editor.agent.request('session/new', { cwd: folder, mcpServers: [] })).sessionId };
}
