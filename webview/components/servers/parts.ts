/** The servers and what they ask the user for, in a bundle of their own: most chats never need them. */
export { default as Elicitations } from './Elicitations.svelte';
export { default as Servers } from './Servers.svelte';
