import { join } from 'node:path';
import { lastToolResults, lastUserText, type ModelServer, reply } from './model-server/index.js';

/** A place where programs work with a model server: what its models do, in the words that tests of all ways to a program use. */
export abstract class ScriptedModels {
  abstract readonly server: ModelServer;
  /** Absolute path of the folder that is worked in. */
  abstract readonly folder: string;

  inFolder(name: string): string {
    return join(this.folder, name);
  }

  /** Models that say something. */
  says(...words: readonly string[]): void {
    this.server.setScript(() => reply().text(...words));
  }

  /** Models that repeat the message. */
  echoes(): void {
    this.server.setScript(({ body }) => reply().text(`You said ${lastUserText(body).split('\n').at(-1) ?? ''}.`));
  }

  /** Models that make a call for each message before they are done. */
  calls(tool: string, input: object): void {
    this.server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall(tool, input) : reply().text('Done.')));
  }

  /** Models that make a file for each message before they are done. */
  writes(): void {
    this.calls('write', { file_path: 'made.txt', content: 'made\n' });
  }
}
