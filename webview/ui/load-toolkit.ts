/** Loads the component toolkit and makes its elements known. Rejects when its bundle cannot be loaded; without them only lines and rings are missing. */
export async function loadToolkit(): Promise<void> {
  const { registerToolkit } = await import('./toolkit.js');
  registerToolkit();
}
