import { bugs } from './easy/bugs.js';
import { features } from './easy/features.js';
import { questions } from './easy/questions.js';
import { refactors } from './easy/refactors.js';
import { care } from './hard/care.js';
import { changes } from './hard/changes.js';
import { faults } from './hard/faults.js';
import { places } from './hard/places.js';
import type { EvalTask } from './task.js';

/** Tasks of one step in one or two files. */
export const easyTasks: readonly EvalTask[] = [...bugs, ...features, ...refactors, ...questions];
/** Tasks that need several steps, or care. */
export const hardTasks: readonly EvalTask[] = [...changes, ...faults, ...care, ...places];
/** All tasks. */
export const tasks: readonly EvalTask[] = [...easyTasks, ...hardTasks];
