/** What kind of work a task is: models are better at some than at others, and some may be left to cheaper ones. */
export type TaskKind = (typeof TASK_KINDS)[number];

/** The kinds of tasks, from the ones that most models can do to those that only explain. The order is the one in which they are shown. */
export const TASK_KINDS = [
  /** What a template or an IDE would generate: configuration, skeletons, types for data, renamed names. */
  'boilerplate',
  /** Something new that a program does. What is not recognized counts as this. */
  'generation',
  /** The same behavior, in another form. */
  'refactor',
  /** An opinion on what is there. */
  'review',
  /** Tests of any size. */
  'unit_test',
  /** Steps, options, estimates, before anything is changed. */
  'planning',
  /** Much work of the same kind, or in several places, that has to be divided, ordered, and watched. */
  'orchestration',
  /** Whether somebody could do harm. */
  'security_review',
  /** Something does not do what it should. */
  'debug',
  /** Understanding what is there, or a concept. */
  'explain',
] as const;
