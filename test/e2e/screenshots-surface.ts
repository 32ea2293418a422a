import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { PanelRig } from '../support/panel-host/rig.js';
import { type Look, type ThemeName, THEMES } from '../support/surface/look.js';
import { SCENES } from '../support/surface/scenes.js';
import { WIDTHS, shoot } from '../support/surface/shoot.js';
import { shootEditor } from './surface-editor.js';

const FOLDER = 'test-results/surface';
const LOOKS = `${FOLDER}/looks.json`;

/**
 * Takes the screenshots of every scene in each theme and width. Arguments: beginnings of the names of scenes to limit it to,
 * and `--panel` to leave out the real VS Code, whose scenes and whose look stay those of the last time.
 */
export async function main(args: readonly string[]): Promise<number> {
  await mkdir(FOLDER, { recursive: true });
  const wanted = args.filter((arg) => !arg.startsWith('--') && arg !== 'surface');
  if (!args.includes('--panel')) await writeFile(LOOKS, JSON.stringify(await shootEditor(FOLDER)));
  const looks = new Map(Object.entries(JSON.parse(await readFile(LOOKS, 'utf8')) as Record<ThemeName, Look>) as [ThemeName, Look][]);
  const rig = await PanelRig.start({ moves: true });
  let failures = 0;
  for (const scene of SCENES.filter(({ name }) => wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning)))) {
    console.log(scene.name);
    await shoot(rig, scene, { looks, widths: WIDTHS, folder: FOLDER }).catch((error: unknown) => {
      console.error(error);
      failures += 1;
    });
  }
  await rig.stop();
  console.log(`The screenshots are in ${FOLDER}, in the themes ${Object.values(THEMES).join(', ')}.`);
  return failures === 0 ? 0 : 1;
}
