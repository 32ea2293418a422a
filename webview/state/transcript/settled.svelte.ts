import { onMount } from 'svelte';
import { GUARD_MS } from '../approval/key-guard.js';

/**
 * Says whether the component that calls this has been there for {@link GUARD_MS}. What appears moves what was there, so that
 * the second click of a double click, or one that was meant for something else, could hit a button that the user has not seen.
 * Reactive. To be called while the component is made.
 */
export function settles(): () => boolean {
  let settled = $state(false);
  onMount(() => {
    const timer = setTimeout(() => (settled = true), GUARD_MS);
    return () => clearTimeout(timer);
  });
  return () => settled;
}
