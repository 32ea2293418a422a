/** A fact about where the agent works: a short label, and what is the case now. */
export interface EnvironmentFact {
  readonly label: string;
  readonly value: string;
}

/** Knows where the agent works. */
export interface Environment {
  /** What is known at the moment; nothing is looked up. The order is that in which a model reads them. */
  facts(): readonly EnvironmentFact[];
}
