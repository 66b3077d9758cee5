/** Every action that the audit log can hold has a text. @reads api db activities */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { subscriptionCommand } from '../../contract/subscription/details.ts';
import { deAudit } from '../../dashboard/app/words/de-audit.ts';
import { enAudit } from '../../dashboard/app/words/en-audit.ts';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

async function actionsIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(join(PROJECT_DIR, folder), { recursive: true });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFile(join(PROJECT_DIR, folder, file), 'utf8'));
  const named = /(?:action: |[aA]udit\w*\(.*|afterChange\(.*|DISABLED = )'([a-z_]+\.[a-z_]+)'/g;
  return (await Promise.all(texts)).flatMap((text) =>
    [...text.matchAll(named)].map(([, action = '']) => action),
  );
}

test.each(Object.entries({ en: enAudit, de: deAudit }))(
  'every audited action has a text in %s',
  async (_language, { audit }) => {
    const found = (await Promise.all(['api', 'db', 'activities'].map(actionsIn))).flat();
    expect(found).toEqual(
      expect.arrayContaining(['api_key.revoke', 'merchant.update', 'rail.pause', 'webhook_endpoint.update']),
    );
    const asked = subscriptionCommand.options.map(({ shape }) => shape.command.value);
    const actions = [...found, ...asked.map((command) => `subscription.${command}_requested`)];
    const silent = actions.filter((action) => {
      const [subject = '', deed = ''] = action.split('.');
      return !audit.subjects[subject] || !audit.deeds[deed];
    });
    expect(silent).toEqual([]);
  },
);
