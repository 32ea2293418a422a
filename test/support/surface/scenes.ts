import { answerScenes } from './answer-scenes.js';
import { askingScenes } from './asking-scenes.js';
import { composerScenes } from './composer-scenes.js';
import type { Scene } from './scene.js';
import { workingScenes } from './working-scenes.js';

/** Every scene of the panel, by its number. */
export const SCENES: readonly Scene[] = [...composerScenes, ...workingScenes, ...askingScenes, ...answerScenes].toSorted((a, b) =>
  a.name.localeCompare(b.name),
);
