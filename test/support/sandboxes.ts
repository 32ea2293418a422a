import type { SandboxChoices, SandboxPort } from '../../src/domain/workspace/sandbox.js';
import type { Sandbox } from '../../src/node/sandbox/sandbox.js';
import { says } from './wording.js';

/** What the settings say unless they are changed. */
export const USUAL: SandboxChoices = { allowed: false, unasked: false, hosts: [] };

/** A machine that can hold commands, as permission sees it. */
export const HELD = heldAs(USUAL);

/** The same, with what the person chose. */
export function heldAs(choices: SandboxChoices): SandboxPort {
  return { state: () => Promise.resolve({ available: true, by: 'bubblewrap' }), choices: () => choices };
}

/** A machine that cannot. */
export const NOT_HELD: SandboxPort = { state: () => Promise.resolve({ available: false, reason: says('bubblewrapMissing') }), choices: () => USUAL };

/** For tools of which no command is confined. */
export const UNUSED: Pick<Sandbox, 'around' | 'closing' | 'after' | 'noteOwn'> = {
  around: () => Promise.reject(new Error('No command is confined here.')),
  closing: () => Promise.resolve(undefined),
  after: () => Promise.resolve([]),
  noteOwn: () => undefined,
};
