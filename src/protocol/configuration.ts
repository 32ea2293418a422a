import { type Of, anyText, count, fields, flag, listOf, oneOf, optional } from './shape.js';

/** What is configured, in the order in which the page shows it. */
export const CONFIGURATION_SECTIONS = ['settings', 'files', 'rules', 'hooks', 'agents', 'skills', 'commands', 'styles'] as const;
/** One of {@link CONFIGURATION_SECTIONS}. */
export type ConfigurationSectionId = (typeof CONFIGURATION_SECTIONS)[number];

/** How a state stands out: it is as usual, it is of no effect, it waits for the user, or something is wrong. */
export const CONFIGURATION_TONES = ['usual', 'idle', 'waits', 'wrong'] as const;
/** One of {@link CONFIGURATION_TONES}. */
export type ConfigurationTone = (typeof CONFIGURATION_TONES)[number];

/** What can be done about a row with one press. What lets anything run is asked about by VS Code, with all of it shown. */
export const CONFIGURATION_ACTIONS = ['approve_hook', 'revoke_hook', 'open_scripts', 'review_rules', 'pin_skill', 'unpin_skill'] as const;
/** One of {@link CONFIGURATION_ACTIONS}. */
export type ConfigurationAction = (typeof CONFIGURATION_ACTIONS)[number];

const place = fields({
  /** Names it in `open_configuration_place`. */
  id: anyText,
  /** Short form of the path, with the line where there is one, such as `.claude/settings.json:12`. */
  display: anyText,
  /** Whose it is, such as “this workspace”. */
  layer: optional(anyText),
});
/** A place where something is configured. */
export type ConfigurationPlace = Of<typeof place>;

const row = fields({
  /** Names it in requests: the id of its section, a colon, and what is the same as long as it is the same thing. */
  id: anyText,
  name: anyText,
  /** The value of a setting, or what a hook runs; on one line. */
  value: optional(anyText),
  /** A word or two. */
  state: anyText,
  tone: oneOf(CONFIGURATION_TONES),
  /** The beginning of its description, on one line, to be searched. */
  text: optional(anyText),
  place: optional(place),
});
/** Something that is configured. All of its texts may come from strangers. */
export type ConfigurationRow = Of<typeof row>;

const section = fields({
  id: oneOf(CONFIGURATION_SECTIONS),
  rows: listOf(row),
  /** How many are left out, because there are too many. */
  left: count,
  /** Said where there is nothing: where it would come from. */
  empty: anyText,
  /** About all of them, such as what they take of the context. */
  note: optional(anyText),
});
/** All that is configured of a kind. */
export type ConfigurationSection = Of<typeof section>;

const problem = fields({
  id: anyText,
  /** Path of keys; empty for the file as a whole. */
  key: anyText,
  message: anyText,
  place: optional(place),
  /** Whether what it is about works nevertheless. */
  harmless: optional(flag),
});
/** Something in a configuration file that Gnomon cannot use. */
export type ConfigurationProblem = Of<typeof problem>;

/** All that the page shows before anything is expanded. */
export const configurationView = fields({
  trusted: flag,
  /** One of each, in their order. */
  sections: listOf(section),
  problems: listOf(problem),
  /** How many problems are left out. */
  left: count,
});
/** All that the page shows before anything is expanded. */
export type ConfigurationView = Of<typeof configurationView>;

/** What a row shows when it is expanded. */
export const configurationDetails = fields({
  /** Its description, as far as anybody would read it. */
  text: optional(anyText),
  /** What else is known of it: names for the user, and values as they are written. */
  facts: listOf(fields({ name: anyText, value: anyText })),
  /** What lost against it, and why. */
  overridden: listOf(fields({ why: anyText, value: optional(anyText), place: optional(place) })),
  /** What became of each field of its file. */
  fields: listOf(fields({ name: anyText, state: oneOf(['used', 'ignored', 'refused']), note: optional(anyText), place: optional(place) })),
  /** How many of all these are left out. */
  left: count,
  /** How it differs from what the user approved: a unified diff. */
  diff: optional(anyText),
  actions: listOf(oneOf(CONFIGURATION_ACTIONS)),
  /** Whether it is a hook that may run, so that it can be tried. */
  triable: optional(flag),
});
/** What a row shows when it is expanded. */
export type ConfigurationDetails = Of<typeof configurationDetails>;

/** What came of running a hook against what happened last at its event. Outputs are cut. */
export const hookTrialView = fields({
  /** Whether it would have run outside of the trial. */
  matches: flag,
  /** How it ended, in words. */
  ended: anyText,
  /** A number; that of Windows can be negative. */
  exitCode: optional(anyText),
  durationMs: count,
  /** What would have come of it, a sentence for each. */
  consequences: listOf(anyText),
  stdout: anyText,
  stderr: anyText,
  /** What it got, as JSON. */
  input: anyText,
});
/** What came of a trial. */
export type HookTrialView = Of<typeof hookTrialView>;
