import { helperProgram } from './helper-program.js';

const PROGRAM = `
import { ApprovalLedger } from './src/consent/ledger/approval-ledger.js';
import { randomInt } from 'node:crypto';
const [folder, own, count] = process.argv.slice(2);
const log = { info: () => undefined, warn: console.error, error: console.error };
const dialogs = { notify: (level, text) => Promise.resolve(console.error(level, text)) };
const kind = { name: 'thing', most: 10_000, perWorkspace: false, read: (value) => value, subjectOf: (value) => value.name, earlier: () => [] };
const ledger = new ApprovalLedger({ folder, workspace: () => '', dialogs, log });
const store = ledger.of(kind);
for (let n = 0; n < Number(count); n += 1) {
  const listed = store.list();
  const name = own + n;
  const victim = listed[randomInt(Math.max(1, listed.length))];
  const turn = randomInt(4);
  if (turn < 2) {
    console.log('asks ' + name);
    await store.change((all) => [{ name }, ...all]);
    console.log('approved ' + name);
  } else if (turn === 2 && victim !== undefined) {
    await store.change((all) => all.filter((each) => each.name !== victim.name));
    console.log('revoked ' + victim.name);
  } else {
    // As approvals of earlier versions are brought up to date: of what is there by then, and not of what was listed.
    await store.change((all) => all.map((each) => ({ ...each, seen: (each.seen ?? 0) + 1 })));
  }
}
`;

/**
 * A program that stands for another window: it approves things under names of its own, revokes any that it sees, and changes all of them, and prints each
 * step. Its arguments: the folder of the ledger, how its names begin, and how many steps it takes.
 * @param folder where the program is put
 * @returns its path, for plain Node
 */
export function approvingProcess(folder: string): Promise<string> {
  return helperProgram('approving', PROGRAM, folder);
}
