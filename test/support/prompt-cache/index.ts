export type { LongJob } from './long-job.js';
export { JOB_MODEL, runLongJob } from './long-job.js';
export type { CacheUsage } from './simulator.js';
export { PromptCache } from './simulator.js';
export type { CacheableBody } from './units.js';
