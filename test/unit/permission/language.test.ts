import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseTexts, useTexts } from '../../../src/domain/l10n.js';
import { denialForModel, denialWords } from '../../../src/domain/tool/denial.js';
import { ruleProblems } from '../../../src/permission/rules/rule-set.js';
import { edits, gateOn, judge, reads, reasonsOf, ruleOf, runs } from './rig.js';

describe('in German', () => {
  beforeEach(async () => useTexts(parseTexts(JSON.parse(await readFile('l10n/bundle.l10n.de.json', 'utf8'))), 'de'));
  afterEach(() => useTexts({}));

  test('a prompt says in German why it asks', async () => {
    expect(reasonsOf(await judge(gateOn(), 'default', edits('/ws/a.ts')))).toContain('Ändert eine Datei.');
    expect(reasonsOf(await judge(gateOn(), 'default', edits('/ws/.vscode/settings.json')))).toMatch(
      /settings\.json ist geschützt: konfiguriert einen Editor und kann Code ausführen\./,
    );
    expect(reasonsOf(await judge(gateOn(), 'default', reads('/etc/passwd')))).toMatch(/passwd liegt außerhalb des Arbeitsbereichs\./);
    const asking = gateOn({ rules: ['ask Bash(git push:*)'] });
    expect(reasonsOf(await judge(asking, 'default', runs('git push origin')))).toMatch(
      /^Die ask-Regel Bash\(git push:\*\) in den Benutzereinstellungen gilt für git push origin\./,
    );
  });

  test('a rule that cannot be read is told of in German', () => {
    expect(ruleProblems([ruleOf('deny Bash(curl')])).toEqual([
      expect.stringMatching(/^Die deny-Regel Bash\(curl in den Benutzereinstellungen ist ungültig\. /),
    ]);
  });

  test('what the model is told of a refusal stays English, and what the user is shown is German', async () => {
    const denials = [
      [
        await judge(gateOn({ rules: ['deny Bash(curl:*)'] }), 'default', runs('curl x')),
        'The deny rule Bash(curl:*) in the user settings forbids `curl x`.',
        'Die deny-Regel Bash(curl:*) in den Benutzereinstellungen blockiert das.',
      ],
      [await judge(gateOn(), 'plan', edits('/ws/a.ts')), 'Plan mode only reads; nothing may be changed or run.', 'Im Planmodus kann Gnomon nur lesen.'],
      [
        await judge(gateOn({ trusted: false }), 'default', runs('ls')),
        'This workspace is not trusted, so Gnomon only reads in it.',
        'Dieser Arbeitsbereich ist nicht vertrauenswürdig, deshalb hat Gnomon hier nur Lesezugriff.',
      ],
    ] as const;
    for (const [judgment, told, shown] of denials) {
      const denial = judgment.type === 'deny' ? judgment.denial : expect.fail('It is not denied.');
      expect([denialForModel(denial), denialWords(denial)]).toEqual([told, shown]);
    }
  });
});
