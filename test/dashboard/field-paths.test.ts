/**
 * Each form's field names its place in the request, and the dashboard has words for each reason of the API.
 * @reads dashboard/app
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { REASONS } from '../../contract/core/faults.ts';
import { Problem } from '../../dashboard/app/api/client.ts';
import { de } from '../../dashboard/app/words/de.ts';
import { en } from '../../dashboard/app/words/en.ts';
import { faultText } from '../../dashboard/app/words/problem-text.ts';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { description } from '../support/api/api-description.ts';

const APP = join(PROJECT_DIR, 'dashboard/app');
const SOURCES = globSync('**/*.tsx', { cwd: APP }).map((file) => ({
  file,
  text: readFileSync(join(APP, file), 'utf8'),
}));
/** `at="name"`, `at={['a', 'b']}`; the last names of a template are not checked. */
const PLACES = SOURCES.flatMap(({ file, text }) =>
  [...text.matchAll(/ at=(?:"([^"]+)"|\{\[([^\]]+)\]\}|\{`([^$`]+)\.)/g)].flatMap(([, one, several, start]) =>
    (one ?? several ?? start ?? '')
      .split(/[', ]+/)
      .filter(Boolean)
      .map((path) => ({ file, path })),
  ),
);

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const { schemas }: { readonly schemas: Readonly<Record<string, Schema>> } = description.components;

function pathsOf(schema: Schema, seen: readonly Schema[] = []): readonly string[] {
  if (seen.includes(schema)) return [];
  const inside = [...seen, schema];
  const named = schemas[schema.$ref?.split('/').at(-1) ?? ''];
  const parts = [...(named ? [named] : []), schema.anyOf, schema.oneOf, schema.allOf].flat();
  return [
    ...parts.flatMap((part) => (part ? pathsOf(part, inside) : [])),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
      name,
      ...pathsOf(inner, inside).map((path) => `${name}.${path}`),
    ]),
  ];
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
const operations = Object.values(description.paths).flatMap((path) =>
  Object.values(path as object),
) as Operation[];
const known = new Set(
  operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => pathsOf(schema)),
  ),
);

test('each field of a form is a field of a request', () => {
  expect(PLACES.length).toBeGreaterThan(50);
  expect(PLACES.filter(({ path }) => !known.has(path))).toEqual([]);
});

/** Choices of the form itself, which no request contains. */
const WITHOUT_PLACE: readonly string[] = [
  'billing/move-trial.tsx: words.subscriptions.trialWhen',
  'billing/subscription-actions.tsx: words.subscriptions.cancelWhen',
  'catalogue/coupon-form.tsx: words.coupons.discount',
  'home/sales-chart.tsx: words.home.range',
];

test('each input of a form has a place in the request', () => {
  const inputs = SOURCES.filter(({ file }) => !file.startsWith('ui/')).flatMap(({ file, text }) =>
    [...text.matchAll(/<(?:Text|Lines|Select|Number|Quantity)Field\b([\s\S]*?)\/>/g)]
      .map(([, props = '']) => props.trim())
      .filter((props) => !/ at=|\.\.\.props|type="search"/.test(` ${props}`))
      .map((props) => `${file}: ${/label=\{([^}]*)\}/.exec(props)?.[1]}`),
  );
  expect(inputs.sort()).toEqual(WITHOUT_PLACE);
});

test.each(Object.keys(REASONS))('%s has a sentence in each language, even with a limit', (reason) => {
  for (const { reasons, limits } of [en.problems, de.problems])
    expect({ ...reasons, ...limits }).toHaveProperty(reason);
});

test('a limit is formatted like the field’s own value', () => {
  const fault = { field: 'amount', reason: 'too_large', limit: 1_900 };
  const problem = new Problem(400, 'invalid_request', '', null, fault);
  expect(faultText(problem)).toBe('At most 1,900.');
  expect(faultText(problem, (cents) => `€${cents / 100}`)).toBe('At most €19.');
});

test('an operation’s own code explains the error in its field', () => {
  const fault = { field: 'code', reason: 'taken', limit: null };
  expect(faultText(new Problem(409, 'coupon_code_taken', '', null, fault))).toBe(
    en.problems.byCode.coupon_code_taken,
  );
});

test('an unknown reason has no text of its own, so that the API’s message is shown', () => {
  const fault = { field: 'code', reason: 'new', limit: null };
  expect(faultText(new Problem(400, 'invalid_request', 'message', null, fault))).toBeNull();
});
