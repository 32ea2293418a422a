import { type Entry, MODEL, type Place, type Work } from './entry.js';
import { TerminalUser } from '../terminal-user.js';
import { ProgramHere } from './program-here.js';

/** The command line, on a terminal: a run for each message. */
export const commandLine: Entry = { begin: (place) => Promise.resolve(new CommandLineWork(place)), close: () => Promise.resolve() };

class CommandLineWork implements Work {
  id: string;
  asked = 0;
  private running: ProgramHere | undefined;

  constructor(private readonly place: Place) {
    this.id = place.resumes ?? '';
  }

  async say(words: string): Promise<void> {
    const { folder, environment, mode, answer = 'allow' } = this.place;
    const session = this.id === '' ? ['--session-id', (this.id = crypto.randomUUID())] : ['--resume', this.id];
    const args = ['-p', words, '--model', MODEL, ...session, ...(mode === undefined ? [] : ['--permission-mode', mode])];
    const user = new TerminalUser(
      (key) => this.running?.process.stdin.write(key),
      () => (answer === 'allow' ? 'y' : 'n'),
    );
    let seen = '';
    this.running = new ProgramHere({ args, folder, environment, screen: (text) => user.sees((seen += text)) });
    await this.running.end;
    user.stop();
    this.asked += user.asked;
  }

  stop(): void {
    this.running?.interrupt();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
