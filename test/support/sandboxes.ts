import type { SandboxPort } from '../../src/domain/sandbox.js';
import type { Sandbox } from '../../src/node/sandbox/sandbox.js';

/** A machine that can hold commands, as permission sees it. */
export const HELD: SandboxPort = { state: () => Promise.resolve({ available: true, by: 'bubblewrap' }) };

/** A machine that cannot. */
export const NOT_HELD: SandboxPort = { state: () => Promise.resolve({ available: false, reason: 'bubblewrap is not installed.' }) };

/** For tools of which no command is confined. */
export const UNUSED: Pick<Sandbox, 'around'> = { around: () => Promise.reject(new Error('No command is confined here.')) };
