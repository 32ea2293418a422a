import type { ToolContext } from '../../domain/tool/tool.js';

/** Shows that a call may read what it names, or that it runs. Nothing else is a permit: the class has a private part. */
class Permit {
  readonly #granted = true;

  static isOne(permit: Permit): boolean {
    return #granted in permit && permit.#granted;
  }
}

/** The context of a call that may read what it names, or that runs. */
export interface RunContext extends ToolContext {
  readonly permit: Permit;
}

/**
 * Marks the context of a call whose reading is permitted, or that runs. For `defineTool` alone, which knows when that is: with it any
 * tool could open files while it plans.
 */
export function permitted(context: ToolContext): RunContext {
  return { ...context, permit: new Permit() };
}

/**
 * A port that reveals the content of files, or which exist. Tools get it sealed, so that planning a call cannot use it: no answer of a
 * planner can depend on a file that permission was not asked for.
 */
export class Sealed<Port> {
  readonly #port: Port;

  constructor(port: Port) {
    this.#port = port;
  }

  /** The port, for a call that may read or run. */
  for({ permit }: RunContext): Port {
    if (!Permit.isOne(permit)) throw new TypeError('A file was to be opened for a call that may not read yet.');
    return this.#port;
  }
}
