import { type Of, anyText, count, fields, flag, listOf, oneOf, optional } from './shape.js';

/** Sections of the configuration page, in order. */
export const CONFIGURATION_SECTIONS = ['settings', 'files', 'rules', 'hooks', 'agents', 'skills', 'commands', 'styles'] as const;
/** One of {@link CONFIGURATION_SECTIONS}. */
export type ConfigurationSectionId = (typeof CONFIGURATION_SECTIONS)[number];

/** Emphasis of a state: normal, without effect, waiting for the user, or wrong. */
export const CONFIGURATION_TONES = ['usual', 'idle', 'waits', 'wrong'] as const;
/** One of {@link CONFIGURATION_TONES}. */
export type ConfigurationTone = (typeof CONFIGURATION_TONES)[number];

/** Actions of a row. Where an action lets something run, VS Code shows all of it in a dialog first. */
export const CONFIGURATION_ACTIONS = ['approve_hook', 'revoke_hook', 'open_scripts', 'review_rules', 'pin_skill', 'unpin_skill'] as const;
/** One of {@link CONFIGURATION_ACTIONS}. */
export type ConfigurationAction = (typeof CONFIGURATION_ACTIONS)[number];

const place = fields({
  /** Names it in `open_configuration_place`. */
  id: anyText,
  /** Short form of the path, with the line where there is one, such as `.claude/settings.json:12`. */
  display: anyText,
  /** Configuration layer, such as “this workspace”. */
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
  /** Number of rows beyond the limit, which are left out. */
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
  /** Number of problems that are left out. */
  left: count,
});
/** All that the page shows before anything is expanded. */
export type ConfigurationView = Of<typeof configurationView>;

/** Details of an expanded row. */
export const configurationDetails = fields({
  /** Its description, as far as anybody would read it. */
  text: optional(anyText),
  /** Further facts: names for the user, and values as they are written. */
  facts: listOf(fields({ name: anyText, value: anyText })),
  /** Values that it overrides, and why. */
  overridden: listOf(fields({ why: anyText, value: optional(anyText), place: optional(place) })),
  /** State of each field of its file. */
  fields: listOf(fields({ name: anyText, state: oneOf(['used', 'ignored', 'refused']), note: optional(anyText), place: optional(place) })),
  /** Number of entries of these lists that are left out. */
  left: count,
  /** Unified diff from the approved version. */
  diff: optional(anyText),
  actions: listOf(oneOf(CONFIGURATION_ACTIONS)),
  /** Whether it is a hook that may run, so that it can be tried. */
  triable: optional(flag),
});
/** Details of an expanded row. */
export type ConfigurationDetails = Of<typeof configurationDetails>;

/** Result of a trial run of a hook with the last input of its event. Outputs are cut. */
export const hookTrialView = fields({
  /** Whether it would have run outside of the trial. */
  matches: flag,
  /** Exit of the hook, in words. */
  ended: anyText,
  /** A number; that of Windows can be negative. */
  exitCode: optional(anyText),
  durationMs: count,
  /** Effects that it would have had, a sentence for each. */
  consequences: listOf(anyText),
  stdout: anyText,
  stderr: anyText,
  /** Input of the hook, as JSON. */
  input: anyText,
});
/** Result of a trial run of a hook. */
export type HookTrialView = Of<typeof hookTrialView>;
