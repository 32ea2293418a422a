/** The page about what is configured, in a bundle of its own: most chats never need it. */
export { default as Configuration } from './Configuration.svelte';
