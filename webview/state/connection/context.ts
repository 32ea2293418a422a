import { createContext } from 'svelte';
import type { Panel } from './panel.svelte.js';

/** The panel that a component belongs to. */
export const [getPanel, setPanel] = createContext<Panel>();
