import { InProcessTransport, Session, type Options } from '../../../src/headless/library/index.js';
import { main } from '../../../src/headless/index.js';
import manifest from '../../../package.json' with { type: 'json' };
import { type Entry, MODEL, type Place, type Work } from './entry.js';
import { PROGRAM } from './program-here.js';

/** Our library, with the program in this process: a session that goes on. */
export const library: Entry = { begin: (place) => Promise.resolve(new LibraryWork(place)), close: () => Promise.resolve() };

class LibraryWork implements Work {
  id = '';
  asked = 0;
  private readonly session: Session;

  constructor({ folder, environment, mode, resumes, answer = 'allow' }: Place) {
    const transport: Options['transport'] = (start) =>
      new InProcessTransport(start, ({ args, input, output, errors, folder: cwd, onTerminate }) =>
        main({
          args,
          streams: { input, output, errors, environment },
          stops: { onInterrupt: () => () => undefined, onTerminate },
          folder: cwd,
          version: manifest.version,
          program: PROGRAM,
        }),
      );
    this.session = new Session({
      ...{ cwd: folder, model: MODEL, transport },
      ...(mode === undefined ? {} : { permissionMode: mode }),
      ...(resumes === undefined ? {} : { resume: resumes }),
      canUseTool: (_name, input) => {
        this.asked += 1;
        return Promise.resolve(answer === 'allow' ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: '' });
      },
    });
  }

  async say(words: string): Promise<void> {
    await this.session.send(words);
    for await (const message of this.session.events) {
      if (message.type !== 'result') continue;
      this.id = message.session_id;
      return;
    }
  }

  stop(): void {
    void this.session.interrupt();
  }

  close(): Promise<void> {
    return this.session.close();
  }
}
