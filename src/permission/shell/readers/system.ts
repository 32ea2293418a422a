import type { ReaderSpec } from './reader.js';

/** Any arguments at all: the program prints them, or does nothing. */
const NOTHING: ReaderSpec = { operands: 'none' };

/** Programs that tell about the system, and parts of the shell that do nothing to it. None of them reaches the network. */
export const SYSTEM_READERS: Readonly<Record<string, ReaderSpec>> = {
  which: { operands: 'texts', letters: 'as' },
  type: { operands: 'texts', letters: 'aftpP' },
  command: { operands: 'texts', letters: 'pvV' },
  uname: { operands: 'none', letters: 'asnrvmpio', long: 'all kernel-name kernel-release machine operating-system' },
  whoami: NOTHING,
  id: { operands: 'texts', letters: 'gGnruz', long: 'group groups name real user zero' },
  groups: { operands: 'texts' },
  tty: { operands: 'none', letters: 's' },
  arch: NOTHING,
  // An operand of hostname sets the name.
  hostname: NOTHING,
  nproc: { operands: 'none', long: 'all ignore=' },
  uptime: { operands: 'none', letters: 'ps', long: 'pretty since' },
  seq: { operands: 'texts', letters: 'w', valued: 'fs', long: 'equal-width format= separator=' },
  sleep: { operands: 'texts' },
  wait: { operands: 'none' },
  help: { operands: 'texts', letters: 'dms' },
  exit: { operands: 'texts', most: 1 },
  return: { operands: 'texts', most: 1 },
  break: { operands: 'texts', most: 1 },
  continue: { operands: 'texts', most: 1 },
  cal: { operands: 'texts', letters: '13jmsy' },
  locale: { operands: 'none', letters: 'a' },
};
