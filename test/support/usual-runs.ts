import * as fc from 'fast-check';
import { runs } from './runs.js';

// Properties that do not say how often they are tried, which is a hundred times by default (fast-check.dev, "Parameters", numRuns).
fc.configureGlobal({ numRuns: runs(100) });
