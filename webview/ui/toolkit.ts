import { provideVSCodeDesignSystem, vsCodeDivider, vsCodeProgressRing } from '@vscode/webview-ui-toolkit';

/** Makes the elements of the component toolkit known to the page. In a bundle of its own, loaded after the first paint. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeDivider(), vsCodeProgressRing());
}
