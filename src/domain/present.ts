/** An object in which what may be `undefined` may be absent instead. */
type Present<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The properties that have a value: an optional property that is `undefined` is not the same as one that is not there, in
 * JSON, in a comparison, and for the compiler.
 */
export function present<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}
