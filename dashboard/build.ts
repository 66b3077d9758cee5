/**
 * Bundles `dashboard/app` into `dist/dashboard`: one script for each page, with the content's hash in each name.
 * `node dashboard/build.ts` builds ahead of time, as the production image does; a development checkout builds when
 * the output is missing or stale.
 */
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, hashOfSources, PROJECT, readManifest, writeWhole } from '../page/http/bundle-output.ts';

export const OUTPUT = join(PROJECT, 'dist', 'dashboard');
/** Folders that the bundle may import from: it depends on the service only by types of the API description. */
const SOURCES = ['dashboard/app'];

export interface DashboardBuild {
  /** Hash of the sources it was built from. */
  readonly sources: string;
  readonly script: string;
  readonly style: string;
  /** Scripts that `script` imports when it loads. */
  readonly imports: readonly string[];
  /** All files in `assets/`. */
  readonly files: readonly string[];
}

/** Builds if the output is missing or stale. */
export async function ensureDashboard(): Promise<DashboardBuild> {
  const sources = await hashOfSources(SOURCES);
  const built = await readManifest<DashboardBuild>(OUTPUT);
  return built?.sources === sources ? built : build(sources);
}

async function build(sources: string): Promise<DashboardBuild> {
  const result = await bundle({
    entryPoints: { main: 'dashboard/app/main.tsx', style: 'dashboard/app/style.css' },
    tsconfig: 'dashboard/app/tsconfig.json',
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    chunkNames: 'part-[hash]',
    outdir: join(OUTPUT, 'assets'),
  });
  await mkdir(join(OUTPUT, 'assets'), { recursive: true });
  // The manifest is written last and marks the rest as complete.
  for (const { path, contents } of result.outputFiles) await writeWhole(path, contents);
  const files = result.outputFiles.map(({ path }) => basename(path));
  const nameOf = (entry: string) => files.find((name) => name.startsWith(`${entry}-`)) ?? '';
  const script = nameOf('main');
  const [, main] = Object.entries(result.metafile.outputs).find(([path]) => basename(path) === script) ?? [];
  const imports = (main?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  const manifest = {
    sources,
    script,
    style: nameOf('style'),
    imports: imports.map(({ path }) => basename(path)),
    files,
  };
  await writeWhole(join(OUTPUT, 'index.html'), dashboardDocument('/dashboard', manifest));
  await writeWhole(join(OUTPUT, 'manifest.json'), JSON.stringify(manifest));
  return manifest;
}

/**
 * @param base the dashboard's path, without a trailing slash
 * @param config content of `config.json`, embedded to save a request; absent if it is deployed separately
 */
export function dashboardDocument(
  base: string,
  { script, style, imports }: DashboardBuild,
  config?: object,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="dashboard-base" content="${base}">${config ? `\n<meta name="dashboard-config" content="${inAttribute(JSON.stringify(config))}">` : ''}
<title>Dashboard</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/assets/${style}">
<script type="module" src="${base}/assets/${script}"></script>
${imports.map((each) => `<link rel="modulepreload" href="${base}/assets/${each}">`).join('\n')}
</head>
<body>
<noscript>The dashboard needs JavaScript.</noscript>
<div id="app"></div>
</body>
</html>
`;
}

const inAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await rm(OUTPUT, { recursive: true, force: true });
  const { files } = await ensureDashboard();
  console.log(`dist/dashboard: ${files.length} files`);
}
