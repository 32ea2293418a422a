export type { LongJob } from './long-job.js';
export { JOB_MODEL, runChatJob, runLongJob } from './long-job.js';
export { bodyForClaude } from './openrouter.js';
export { PrefixCache } from './prefix-cache.js';
export type { CacheUsage } from './simulator.js';
export { PromptCache } from './simulator.js';
export type { CacheableBody } from './units.js';
