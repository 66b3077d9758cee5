/**
 * Every error code that a form of the dashboard can receive has a German sentence.
 * @reads dashboard/app
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { de } from '../../dashboard/app/words/de.ts';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { description } from '../support/api/api-description.ts';

/** Only clients other than the dashboard receive these: the dashboard renews an expired log-in. */
const NEVER_SHOWN =
  /^(access_token_(expired|invalid)|(service_)?api_key_(required|invalid|scope_insufficient)|merchant_scope_mismatch|idempotency_key_(required|invalid)|unsupported_media_type)$/;

const APP = join(PROJECT_DIR, 'dashboard/app');
/** The operations of forms, and the previews in them; operators' pages explain in English. */
const FORMS = globSync('!(operations)/**/*.{ts,tsx}', { cwd: APP }).flatMap((file) =>
  [...readFileSync(join(APP, file), 'utf8').matchAll(/use(?:Keyed)?Change\(\s*'(\w+)'|'(preview\w+)'/g)].map(
    ([, changes, previews]) => changes ?? previews,
  ),
);

interface Refusal {
  readonly $ref?: string;
  readonly 'x-error-codes'?: readonly string[];
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Refusal>>;
}
const described: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Refusal>> };
} = description;

const codesOf = ({ responses }: Operation) =>
  Object.values(responses).flatMap((response) => {
    const shared = described.components.responses[response.$ref?.split('/').at(-1) ?? ''];
    return (shared ?? response)['x-error-codes'] ?? [];
  });

test('every error code that a form can receive has a German sentence', () => {
  const operations = Object.values(described.paths).flatMap((path) => Object.values(path));
  const ofForms = operations.filter(({ operationId }) => FORMS.includes(operationId));
  expect(ofForms.length).toBeGreaterThan(25);
  const codes = new Set(ofForms.flatMap(codesOf));
  const { byCode, ofApi } = de.problems;
  expect([...codes].filter((code) => !NEVER_SHOWN.test(code) && !(code in byCode || code in ofApi))).toEqual(
    [],
  );
  expect(Object.keys(ofApi).filter((code) => !codes.has(code) || code in byCode)).toEqual([]);
});
