import { evaluate } from './evaluate.js';

/** Runs `npm run eval` with its arguments. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  // A second Ctrl+C ends the process at once, as the first one took the listener away.
  process.once('SIGINT', () => {
    console.error('Stopping. What was measured so far is reported; Ctrl+C again ends at once.');
    stop.abort();
  });
  return evaluate(args, { env: process.env, print: (text) => console.log(text), progress: (line) => console.error(line), signal: stop.signal });
}
