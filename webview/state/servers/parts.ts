import { LaterParts } from '../later-parts.svelte.js';

/** The components of the servers. */
export const serverParts = new LaterParts(() => import('../../components/servers/parts.js'));
