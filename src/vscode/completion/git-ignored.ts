import { git } from '../edits/git/git-command.js';

/** How long an answer of git counts, in milliseconds. */
const FRESH_MS = 30_000;
/** Answers that are kept. */
const CAPACITY = 200;

interface Known {
  readonly at: number;
  readonly ignored: Promise<boolean>;
}

/** Which files git ignores. Where there is no repository, or no git, none is. */
export class GitIgnored {
  private readonly known = new Map<string, Known>();

  /** Whether git ignores a file. @param folder that it lies in */
  async has(folder: string, path: string): Promise<boolean> {
    const known = this.known.get(path);
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.ignored;
    const ignored = ask(folder, path);
    this.known.delete(path);
    this.known.set(path, { at: performance.now(), ignored });
    const [oldest] = this.known.keys();
    if (this.known.size > CAPACITY && oldest !== undefined) this.known.delete(oldest);
    return ignored;
  }
}

/** What git tracks is not ignored, whatever its rules say. */
async function ask(folder: string, path: string): Promise<boolean> {
  return git(folder, ['check-ignore', '--quiet', '--', path]).then(
    () => true,
    () => false,
  );
}
