/** A tool call that the script wants; the arguments become JSON text. */
export interface WantedCall {
  readonly name: 'bash' | 'read' | 'glob' | 'edit';
  readonly args: Readonly<Record<string, string | number>>;
}

/** One answer of the script: what it says, and the call it makes, if the job goes on. */
export interface Step {
  /** What led to the step; shown only when the request asks for thinking. */
  readonly thinking?: string;
  readonly text: string;
  readonly call?: WantedCall;
}
