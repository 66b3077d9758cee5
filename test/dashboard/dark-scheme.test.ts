/**
 * The colour scheme must not change text widths: `test/full/e2e/dashboard-widths.test.ts` checks each language in one
 * scheme only.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const DARK = /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/;
const COLOUR = /^(#[0-9a-f]{3,8}|rgb\([^)]*\))$/;
const SHADOW = /^(none|0 1px 2px rgb\([^)]*\))$/;

test.each(['dashboard/app/style/base.css', 'page/browser/page.css'])(
  'the dark scheme changes only colours and a shadow: %s',
  (file) => {
    const css = readFileSync(join(PROJECT_DIR, file), 'utf8');
    const dark = DARK.exec(css)?.[1] ?? '';
    const light = css.replace(DARK, '');
    const declarations = dark.split(';').map((text) => text.trim());
    const changed = declarations.filter(Boolean).map((text) => text.split(/:\s*/) as [string, string]);
    expect(changed.length).toBeGreaterThan(10);
    for (const [name, value] of changed) {
      const was = light.match(new RegExp(`^  ${name}: (.*);$`, 'm'))?.[1];
      const kind = name === '--shadow' ? SHADOW : COLOUR;
      expect([name, value, was]).toEqual([name, expect.stringMatching(kind), expect.stringMatching(kind)]);
    }
    expect(css.match(/prefers-color-scheme/g)).toHaveLength(1);
  },
);
