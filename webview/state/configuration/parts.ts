import { LaterParts } from '../later-parts.svelte.js';

/** The components of the page about what is configured. */
export const configurationParts = new LaterParts(() => import('../../components/configuration/parts.js'));
