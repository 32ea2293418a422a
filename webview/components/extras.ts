/** Parts of the chat that its first picture does without, in a bundle of their own: loaded after the first paint. */
export { default as ApprovalPrompt } from './ApprovalPrompt.svelte';
export { default as ChangedFiles } from './ChangedFiles.svelte';
export { default as CommandList } from './CommandList.svelte';
export { default as Compaction } from './Compaction.svelte';
export { default as ContextMeter } from './ContextMeter.svelte';
export { default as Instructions } from './Instructions.svelte';
export { default as PlanView } from './PlanView.svelte';
export { default as QuestionPrompt } from './QuestionPrompt.svelte';
export { default as RestoreFiles } from './RestoreFiles.svelte';
export { default as RetryNotice } from './RetryNotice.svelte';
export { default as UrlView } from './UrlView.svelte';
