import { spawn } from 'node:child_process';
import { REVISIONS, initialize, text, tool } from './behavior.mjs';

/** What a child of the server runs: it stays, whatever it is told. */
const STAYS = 'process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); setInterval(() => {}, 1000);';

/** Whether the process ends when its input does, as the specification wants. */
export let endsWithInput = true;

/**
 * Tricks with the process: its output, its end, its children. Only over stdio.
 * @type {Readonly<Record<string, import('./behavior.mjs').Trick>>}
 */
export const PROCESS_TRICKS = {
  'silent-start': { probe: () => undefined, initialize: () => undefined },
  'dies-at-once': {
    started: () => {
      process.stderr.write('Cannot find the database.\nGiving up.\n', () => process.exit(3));
    },
    probe: () => undefined,
    initialize: () => undefined,
  },
  'dies-in-call': {
    tools: () => [tool('echo'), tool('die')],
    call: ({ params, reply }) => {
      if (params.name === 'echo') reply(text('alive'));
      else process.stderr.write('Out of memory.\nAborting.\n', () => process.exit(7));
    },
  },
  'half-line': { call: ({ id }) => void process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"conte`, () => process.exit(0)) },
  'stdout-noise': {
    started: () => void process.stdout.write('Server is starting up …\n\n[object Object]\n{"not": "a message"}\n[1,2,3]\nnull\n"text"\n{"jsonrpc":"2.0"\n'),
    call: ({ raw, reply }) => {
      for (let line = 0; line < 1_000; line += 1) raw(`debug: line ${line}\n`);
      reply(text('done'));
    },
  },
  'html-probe': { probe: ({ raw }) => raw('<!doctype html><title>502 Bad Gateway</title>\n') },
  'huge-line': {
    call: ({ raw, reply }) => {
      const piece = 'x'.repeat(1_000_000);
      for (let part = 0; part < 10; part += 1) raw(piece);
      raw('\n');
      reply(text('done'));
    },
  },
  'stderr-flood': {
    call: ({ reply }) => {
      process.stderr.write(Array.from({ length: 100_000 }, (_, line) => `line ${line}\n`).join(''), () => reply(text('done')));
    },
  },
  'ignores-sigterm': {
    started: () => {
      endsWithInput = false;
      process.on('SIGTERM', () => undefined);
      process.on('SIGHUP', () => undefined);
      setInterval(() => undefined, 1_000);
    },
    call: ({ reply }) => {
      const child = spawn(process.execPath, ['-e', STAYS], { stdio: 'ignore' });
      reply(text(JSON.stringify([process.pid, child.pid])));
    },
  },
  'prints-environment': {
    started: () => void process.stderr.write(`${JSON.stringify(process.env)}\n`),
    call: ({ reply }) => reply(text(JSON.stringify(process.env))),
    initialize: (exchange) => initialize(exchange, REVISIONS.legacy),
  },
};
