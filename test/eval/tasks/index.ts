import type { EvalTask } from '../task.js';
import { bugs } from './bugs.js';
import { features } from './features.js';
import { questions } from './questions.js';
import { refactors } from './refactors.js';

/** All tasks. */
export const tasks: readonly EvalTask[] = [...bugs, ...features, ...refactors, ...questions];
