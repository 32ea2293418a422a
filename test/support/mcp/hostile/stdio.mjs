/**
 * The hostile server as a program: `node stdio.mjs <trick> [argument]`. It speaks MCP over its standard input and output, and ends with
 * its input unless the trick has it otherwise. The tricks are in `tricks.ts`.
 */
import { createInterface } from 'node:readline';
import { Behavior, serialize } from './behavior.mjs';
import { CALL_TRICKS } from './call-tricks.mjs';
import { LIST_TRICKS } from './list-tricks.mjs';
import { PROCESS_TRICKS, endsWithInput } from './process-tricks.mjs';

const [name = 'well-behaved', argument = ''] = process.argv.slice(2);
const trick = { ...LIST_TRICKS, ...CALL_TRICKS, ...PROCESS_TRICKS }[name];
if (trick === undefined) {
  process.stderr.write(`There is no trick ${name} over stdio.\n`);
  process.exit(64);
}

/** @param {string} text */
const raw = (text) => void process.stdout.write(text);
/** @param {import('./behavior.mjs').Json} message */
const send = (message) => raw(`${serialize(message)}\n`);

process.stdout.on('error', () => process.exit(0)); // Nobody reads any more.
process.stderr.on('error', () => undefined); // The same, but answers may still be read.
trick.started?.(argument);
const behavior = new Behavior(trick, argument);
createInterface({ input: process.stdin })
  .on('line', (line) => behavior.receive(JSON.parse(line), send, raw))
  .on('close', () => {
    if (endsWithInput) process.exit(0);
  });
