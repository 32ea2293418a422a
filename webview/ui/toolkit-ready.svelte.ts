let ready = $state(false);

/** Whether the elements of the component toolkit can be used. Reactive. */
export function isToolkitReady(): boolean {
  return ready;
}

/** Loads the component toolkit. Rejects when its bundle cannot be loaded; native elements stay in use then. */
export async function loadToolkit(): Promise<void> {
  const { registerToolkit } = await import('./toolkit.js');
  registerToolkit();
  ready = true;
}
