/** VitePress reads this as `.vitepress/config.mjs` of the site's sources; `site.json` beside it has the pages. */
import { readFileSync } from 'node:fs';

const { sidebar, repository } = JSON.parse(readFileSync(new URL('site.json', import.meta.url), 'utf8'));

/** Anchors as Git hosts make them: documents are read there too. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Code is shown as it is: VitePress takes `{{ }}` in a line's code for an expression. */
function keepBraces({ renderer }) {
  const render = renderer.rules.code_inline;
  renderer.rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '');
    return render(tokens, index, ...rest);
  };
}

export default {
  title: 'Hosted checkout',
  description: 'Card payments and subscriptions through a hosted page, on your own servers.',
  lang: 'en',
  // Works under any path and without a server's rules.
  base: process.env.DOCS_BASE || '/',
  // Pictures of phones stand side by side, as on a Git host.
  head: [['style', {}, '.vp-doc p > img { display: inline-block; }']],
  markdown: { anchor: { slugify }, toc: { slugify }, config: keepBraces },
  // The reference is a page of its own beside VitePress's.
  ignoreDeadLinks: [/^\/reference\//],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    nav: [{ text: 'API reference', link: '/reference/index.html', target: '_self' }],
    ...(repository && { socialLinks: [{ icon: 'git', link: repository }] }),
  },
};
