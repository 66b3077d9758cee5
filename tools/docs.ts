/** `npm run docs`: the documents and the API reference as a static site. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { referenceFiles } from '../api/http/api-description.ts';
import { LOCAL_DIR, PROJECT_DIR } from '../sandbox/stack/core/directories.ts';
import { npmTools } from '../sandbox/stack/core/npm-tools.ts';
import { runTool } from '../sandbox/stack/process/tool.ts';
import { serveFiles } from './docs/file-server.ts';
import { pageOf, pageText, SHORT_TITLES, sectionsOf } from './docs/pages.ts';

const VITEPRESS = '1.6.4';
const NOT_OURS = new Set(['node_modules', '.git', '.local', 'dist', 'coverage']);
const HELP = `Usage: npm run docs -- [options]

Builds README.md, docs/, the packages' guides and the API reference as a static site with search. Fails on broken
links. VitePress ${VITEPRESS} is installed beside the project the first time.

  --out <directory>   where the site goes (default dist/docs)
  --base <path>       the path it is served under (default /)
  --repository <url>  where the project's other files can be read, such as https://example.org/tree/main/; without it,
                      links to them are plain text
  --serve             serves the site until Ctrl-C
  --port <number>     where, with --serve (default 4173)
  --help              this text`;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/docs' },
    base: { type: 'string', default: '/' },
    repository: { type: 'string' },
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else {
  await build(resolve(values.out), values.repository?.replace(/\/*$/, '/') ?? null);
  if (values.serve) {
    const url = await serveFiles(resolve(values.out), values.base, Number(values.port));
    console.error(`Served at ${url}`);
  }
}

async function build(out: string, repository: string | null): Promise<void> {
  const vitepress = npmTools(`vitepress-${VITEPRESS}`, { vitepress: VITEPRESS });
  const source = join(LOCAL_DIR, 'docs-site');
  await rm(source, { recursive: true, force: true });
  const pages = await writePages(source, repository);
  await writeReference(join(source, 'public/reference'));
  console.error(`${pages} pages …`);
  const program = join(await vitepress, 'node_modules/vitepress/bin/vitepress.js');
  const env = { ...process.env, DOCS_BASE: values.base };
  await runTool(process.execPath, [program, 'build', source, '--outDir', out], { env });
  console.error(
    `The site is in ${relative(process.cwd(), out) || '../bin'}. Any static file server can serve it.`,
  );
}

async function writePages(source: string, repository: string | null): Promise<number> {
  const sections = sectionsOf(await documentsIn(''));
  const documents = sections.flatMap((section) => section.documents);
  const shown = new Set(documents);
  const titles = new Map<string, string>();
  for (const document of documents) {
    const given = await readFile(join(PROJECT_DIR, document), 'utf8');
    titles.set(document, /^# (.+)$/m.exec(given)?.[1] ?? document);
    const { text, images } = pageText(document, given, { shown, repository });
    await put(join(source, pageOf(document)), text);
    for (const image of images) {
      const copy = join(source, image.replace(/^docs\//, ''));
      await mkdir(dirname(copy), { recursive: true });
      await copyFile(join(PROJECT_DIR, image), copy);
    }
  }
  const sidebar = sections.map(({ title, documents: of }) => ({
    text: title,
    collapsed: title === 'Decisions',
    items: of.map((document) => ({
      text: SHORT_TITLES[document] ?? titles.get(document)?.replaceAll('`', ''),
      link: `/${pageOf(document).replace(/(index)?\.md$/, '')}`,
    })),
  }));
  await put(join(source, '.vitepress/site.json'), JSON.stringify({ sidebar, repository }));
  await copyFile(join(import.meta.dirname, 'docs/vitepress.mjs'), join(source, '.vitepress/config.mjs'));
  return documents.length;
}

async function writeReference(dir: string): Promise<void> {
  const description = await readFile(join(PROJECT_DIR, 'docs/openapi.json'), 'utf8');
  const { page, written, from, assets } = referenceFiles(JSON.parse(description));
  await put(join(dir, 'index.html'), page);
  for (const [name, text] of written) await put(join(dir, 'docs', name), text);
  await copyFile(join(PROJECT_DIR, 'docs/openapi.json'), join(dir, 'openapi.json'));
  for (const asset of assets) await copyFile(join(from, asset), join(dir, 'docs', asset));
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function documentsIn(directory: string): Promise<string[]> {
  const entries = await readdir(join(PROJECT_DIR, directory), { withFileTypes: true });
  const found = entries
    .filter(({ name }) => !NOT_OURS.has(name))
    .map((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return documentsIn(path);
      return path.endsWith('.md') ? [path] : [];
    });
  return (await Promise.all(found)).flat();
}
