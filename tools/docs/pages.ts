/** The pages of the documentation site: which documents, in which order, and where their links lead. */
import { posix } from 'node:path';

/** Sections of the sidebar. Documents that no section names follow in their directory's own section. */
const SECTIONS: readonly (readonly [title: string, documents: readonly string[]])[] = [
  ['Start', ['README.md', 'docs/people.md', 'docs/dashboard.md']],
  [
    'Guides',
    [
      'docs/one-off-payments.md',
      'docs/subscriptions.md',
      'docs/webhooks.md',
      'docs/testing.md',
      'docs/go-live.md',
      'docs/migrating-from-stripe.md',
    ],
  ],
  ['How it works', ['docs/architecture.md', 'docs/contract.md', 'docs/rules.md']],
  [
    'Clients',
    [
      'packages/node/README.md',
      'packages/python/README.md',
      'packages/webhooks/README.md',
      'packages/create-shop/README.md',
    ],
  ],
  [
    'Go live and operate',
    [
      'docs/on-call.md',
      'docs/operations.md',
      'docs/deploying.md',
      'docs/restores.md',
      'docs/settings.md',
      'docs/data-retention-and-key-rotation.md',
      'docs/configuration.md',
      'docs/observability.md',
      'docs/scaling.md',
      'docs/performance.md',
      'docs/adding-a-rail.md',
    ],
  ],
  ['The project', ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']],
];
const DECISIONS = 'docs/decisions/';
/** Title in the sidebar instead of the document's own heading. */
export const SHORT_TITLES: Readonly<Record<string, string>> = {
  'README.md': 'Quick start',
  'packages/node/README.md': 'Node, and the command line',
  'packages/python/README.md': 'Python',
  'packages/webhooks/README.md': 'Verifying webhooks',
  'packages/create-shop/README.md': 'A starter shop',
};
/** Temporary, and for contributors only. */
const LEFT_OUT = ['docs/plan.md'];

export interface Section {
  readonly title: string;
  /** Paths relative to the project's root. */
  readonly documents: readonly string[];
}

/**
 * @param documents every Markdown file of the project
 * @throws Error when a section names a file that is gone, or a file of docs/ is in no section
 */
export function sectionsOf(documents: readonly string[]): readonly Section[] {
  const sections = SECTIONS.map(([title, named]) => ({ title, documents: named }));
  const decisions = documents.filter((path) => path.startsWith(DECISIONS)).sort();
  const all = [...sections, { title: 'Decisions', documents: decisions }];
  const shown = all.flatMap((section) => section.documents);
  const gone = shown.filter((path) => !documents.includes(path));
  const forgotten = documents.filter(
    (path) => path.startsWith('docs/') && !shown.includes(path) && !LEFT_OUT.includes(path),
  );
  if (gone.length > 0) throw new Error(`tools/docs/pages.ts names missing files: ${gone.join(', ')}`);
  if (forgotten.length > 0) throw new Error(`tools/docs/pages.ts has no section for ${forgotten.join(', ')}`);
  return all;
}

/** The path of the document's page in the site, with `.md`. */
export function pageOf(document: string): string {
  if (document === 'README.md') return 'index.md';
  if (document.endsWith('/README.md')) return `${posix.dirname(document)}.md`;
  return document.startsWith('docs/') ? document.slice('docs/'.length) : document.toLowerCase();
}

export interface Links {
  /** The documents that have a page. */
  readonly shown: ReadonlySet<string>;
  /**
   * Base URL for links to files without a page, such as `https://example.org/tree/main/`; null leaves them
   * unlinked.
   */
  readonly repository: string | null;
}

const LINK = /(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)|<img src="([^"]+)"/g;
/** Code, which stays unchanged even if it looks like a link. */
const CODE = /^```[\s\S]*?^```|`[^`\n]+`/gm;
const IMAGE = /\.(png|svg|jpe?g)$/;

/**
 * The text of a document's page.
 * @returns the text, and the paths of its images relative to the project's directory
 */
export function pageText(document: string, text: string, links: Links): { text: string; images: string[] } {
  const images: string[] = [];
  const from = posix.dirname(document);
  const toSite = (target: string) => {
    const path = posix.relative(posix.dirname(pageOf(document)), target);
    return path.startsWith('.') ? path : `./${path}`;
  };
  const imageAt = (target: string) => {
    const path = posix.normalize(posix.join(from, target));
    images.push(path);
    return toSite(path.replace(/^docs\//, ''));
  };
  const rewrite = (
    whole: string,
    isImage: string,
    words: string,
    target: string,
    source?: string,
  ): string => {
    if (source) return `<img src="${imageAt(source)}"`;
    if (/^([a-z]+:|#)/.test(target)) return whole;
    const [path = '', anchor] = target.split('#');
    const hash = anchor ? `#${anchor}` : '';
    if (IMAGE.test(path)) return `${isImage}[${words}](${imageAt(path)})`;
    const file = posix.normalize(posix.join(from, path)).replace(/\/$/, '');
    if (links.shown.has(file)) return `[${words}](${toSite(pageOf(file))}${hash})`;
    return links.repository === null ? words : `[${words}](${links.repository}${file}${hash})`;
  };
  const code: string[] = [];
  const hidden = text.replace(CODE, (span) => `\uE000${code.push(span) - 1}\uE000`);
  const written = hidden
    .replace(LINK, rewrite)
    .replace(/\uE000(\d+)\uE000/g, (_, n) => code[Number(n)] ?? '');
  return { text: written, images };
}
