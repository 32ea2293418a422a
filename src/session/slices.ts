export { yieldEvery as slices } from '../concurrency/steps.js';
