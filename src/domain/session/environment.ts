/** A fact about where the agent works: a short label, and what is the case now. */
export interface EnvironmentFact {
  readonly label: string;
  readonly value: string;
}

/** Knows where the agent works. */
export interface Environment {
  /** The facts known at the moment, in the order for the model; nothing is looked up. */
  facts(): readonly EnvironmentFact[];
  /** Those of them about work that is under way, which the model must not lose with a summary. Default: none. */
  readonly underWay?: () => readonly EnvironmentFact[];
}
