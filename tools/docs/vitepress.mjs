/** VitePress reads this as `.vitepress/config.mjs` of the site's sources; `site.json` beside it has the pages. */
import { readFileSync } from 'node:fs';

const { sidebar, repository } = JSON.parse(readFileSync(new URL('site.json', import.meta.url), 'utf8'));

/** Generates the same anchors as Git hosts, where the documents are read too. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Code is shown unchanged: VitePress would treat `{{ }}` in inline code as an expression. */
function keepBraces({ renderer }) {
  const render = renderer.rules.code_inline;
  renderer.rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '');
    return render(tokens, index, ...rest);
  };
}

const STYLE = `
/* Pictures of phones are side by side, as on a Git host. */
.vp-doc p > img { display: inline-block; vertical-align: top; }
/* A long cell's neighbours begin beside its first line; on a phone, long names break and leave room for the others. */
.vp-doc td { vertical-align: top; }
@media (max-width: 640px) {
  .vp-doc :is(td, th) { min-width: 9em; padding: 8px 10px; }
  .vp-doc td code { overflow-wrap: anywhere; }
}
/* VitePress's own is too pale to read (WCAG 1.4.3). */
html:root { --vp-code-lang-color: var(--vp-c-text-2); }
`;

export default {
  title: 'Hosted checkout',
  description: 'Card payments and subscriptions through a hosted page, on your own servers.',
  lang: 'en',
  // Works under any path and without server rules.
  base: process.env.DOCS_BASE || '/',
  head: [['style', {}, STYLE]],
  markdown: {
    // Each colour of the code has enough contrast; VitePress's own themes do not.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    anchor: { slugify },
    toc: { slugify },
    config: keepBraces,
  },
  // The reference is a separate page beside VitePress's.
  ignoreDeadLinks: [/^\/reference\//],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    nav: [{ text: 'API reference', link: '/reference/index.html', target: '_self' }],
    ...(repository && { socialLinks: [{ icon: 'git', link: repository }] }),
  },
};
