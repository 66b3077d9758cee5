/** The pages of the documentation site (tools/docs/pages.ts). */
import { expect, test } from '@jest/globals';
import { pageOf, pageText, sectionsOf } from '../../tools/docs/pages.ts';
import { documents } from './documents.ts';

const shown = new Set([
  'README.md',
  'docs/rules.md',
  'docs/contract.md',
  'docs/decisions/0009-local-activities-for-writes-only.md',
  'packages/node/README.md',
]);
const NEW = ['docs', 'new.md'].join('/');
const rewritten = (document: string, text: string, repository: string | null = null) =>
  pageText(document, text, { shown, repository });

test('every document of docs/ is in a section', () => {
  expect(() => sectionsOf(documents)).not.toThrow();
  expect(() => sectionsOf([...documents, NEW])).toThrow(NEW);
  expect(() => sectionsOf(documents.filter((path) => path !== 'docs/rules.md'))).toThrow('docs/rules.md');
});

test.each([
  ['README.md', 'index.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['docs/rules.md', 'rules.md'],
  [
    'docs/decisions/0009-local-activities-for-writes-only.md',
    'decisions/0009-local-activities-for-writes-only.md',
  ],
  ['packages/node/README.md', 'packages/node.md'],
])('%s becomes the page %s', (document, page) => expect(pageOf(document)).toBe(page));

test.each([
  ['README.md', '[shapes](docs/contract.md#shapes)', '[shapes](./contract.md#shapes)'],
  ['docs/decisions/0009-local-activities-for-writes-only.md', '[rules](../rules.md)', '[rules](../rules.md)'],
  ['packages/node/README.md', '[start](../../README.md)', '[start](../index.md)'],
  [
    'docs/rules.md',
    '[see `db/` here](decisions/0009-local-activities-for-writes-only.md)',
    '[see `db/` here](./decisions/0009-local-activities-for-writes-only.md)',
  ],
  ['docs/rules.md', '[code](../db/core/pool.ts)', 'code'],
  [
    'docs/rules.md',
    '[there](#shapes), [out](https://a.example/b)',
    '[there](#shapes), [out](https://a.example/b)',
  ],
  ['docs/rules.md', '`[rules](rules.md)`', '`[rules](rules.md)`'],
])('in %s, %s becomes %s', (document, text, expected) => {
  expect(rewritten(document, text).text).toBe(expected);
});

test('files without a page are linked in the repository, if it is known', () => {
  const { text } = rewritten(
    'docs/rules.md',
    '[code](../db/core/pool.ts)',
    'https://code.example/tree/main/',
  );
  expect(text).toBe('[code](https://code.example/tree/main/db/core/pool.ts)');
});

test('links to pictures are rewritten to copies beside the page', () => {
  const { text, images } = rewritten('README.md', '<img src="docs/a.png" width="9"> ![b](docs/p/b.svg)');
  expect(text).toBe('<img src="./a.png" width="9"> ![b](./p/b.svg)');
  expect(images).toEqual(['docs/a.png', 'docs/p/b.svg']);
});
