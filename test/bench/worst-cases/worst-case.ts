/** Work by what it is done with. */
export type Works = Readonly<Record<string, () => unknown>>;

/** A figure about work with the worst inputs. */
export interface WorstCase {
  readonly name: string;
  /** Milliseconds that the work may take with any of its inputs. */
  readonly goal: number;
  /**
   * Makes ready what is not measured.
   * @param folder an empty one that goes afterwards
   */
  readonly prepare: (folder: string) => Works | Promise<Works>;
}

/** The works with each of some texts, named by how they begin. */
export function worksWith(texts: readonly string[], work: (text: string) => unknown): Works {
  return Object.fromEntries(texts.map((text) => [JSON.stringify(text.slice(0, 20)), () => work(text)]));
}

/** The work with all of some inputs, one after the other. */
export function workWithAll<T>(inputs: readonly T[], work: (input: T) => unknown): Works {
  const all = async (): Promise<void> => {
    for (const input of inputs) await work(input);
  };
  return { [`all ${inputs.length}`]: all };
}
