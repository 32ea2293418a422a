import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { HAS_BUBBLEWRAP, sandboxRig } from './rig.js';

/** Prints what can be opened for writing below the folders in which kernels offer their settings. Each is opened to append and closed; nothing is written. */
const OPENED =
  'shopt -s globstar nullglob; for file in /proc/** /sys/** /dev/**; do ' +
  '{ [ -f "$file" ] || [ -c "$file" ] || [ -b "$file" ]; } && { : >> "$file"; } 2>/dev/null && echo "$file"; done';
const KINDS: readonly [name: string, options: { readonly hosts?: readonly string[] }][] = [
  ['a command that reads', {}],
  ['a command that was allowed', { hosts: [] }],
  ['a command that was allowed and has the network', { hosts: ['*'] }],
];
/** Devices that keep nothing, and what a command was started with. */
const HARMLESS = /^\/dev\/(?:null|zero|full|random|urandom|tty|ptmx|pts\/ptmx|std(?:in|out|err))$|^\/proc\/\d+\/(?:task\/\d+\/)?fd\/\d+$/;

describe.runIf(HAS_BUBBLEWRAP)('the kernel, in the sandbox', () => {
  it.each(KINDS)('has nothing that %s could write, as root either', async (_, options) => {
    const { output } = await sandboxRig().run(OPENED, options);
    const opened = output.trim().split('\n');
    expect(opened).toContain('/dev/null');
    expect(opened.filter((path) => !HARMLESS.test(path))).toEqual([]);
  });

  it('makes no sandbox where something of it stays writable, as with a program that leaves that out', async () => {
    const { base, write } = sandboxRig();
    const leavesOut = 'while [ $# -gt 0 ]; do if [ "$1 $2" = "--remount-ro /proc" ]; then shift 2; else args+=("$1"); shift; fi; done';
    const program = write('bwrap', `#!/bin/bash\nargs=(); ${leavesOut}\nexec /usr/bin/bwrap "\${args[@]}"\n`);
    execFileSync('chmod', ['+x', program], { cwd: base });
    expect(await sandboxRig({ bubblewrap: [program] }).sandbox.state()).toMatchObject({ available: false });
  });
});
