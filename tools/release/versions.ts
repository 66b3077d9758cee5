/** Every place that shows the project's version: one version for the service and its packages. */

/** A file, and the text before the version in it. */
const PLACES: readonly (readonly [file: string, before: RegExp])[] = [
  ['package.json', /^ {2}"version": "/gm],
  // Only the project's own two lines: its packages' versions are indented deeper or follow another name.
  [
    'package-lock.json',
    /^ {2}"version": "|^ {4}"": \{\n {6}"name": "hosted-checkout-service",\n {6}"version": "/gm,
  ],
  ['packages/node/package.json', /^ {2}"version": "/gm],
  ['packages/webhooks/package.json', /^ {2}"version": "/gm],
  ['packages/create-shop/package.json', /^ {2}"version": "/gm],
  ['packages/python/pyproject.toml', /^version = "/gm],
  ['deploy/chart/Chart.yaml', /^(?:appVersion|version): /gm],
  ['deploy/env.example', /^# SERVICE_VERSION=/gm],
  ['docker-compose.yml', /hosted-checkout:\$\{SERVICE_VERSION:-/g],
];
const VERSION = String.raw`\d+\.\d+\.\d+(?:-[0-9a-z.]+)?`;

export const VERSIONED: readonly string[] = PLACES.map(([file]) => file);

/** @returns the versions that a file shows */
export function versionsIn(file: string, text: string): readonly string[] {
  return [...text.matchAll(pattern(file))].map(([, , version = '']) => version);
}

/** @throws Error if the file does not show a version where it is expected */
export function withVersion(file: string, text: string, version: string): string {
  if (versionsIn(file, text).length === 0) throw new Error(`${file} shows no version`);
  return text.replace(pattern(file), `$1${version}`);
}

/** @returns the changelog with the release's date beside its number */
export function withDate(changelog: string, version: string, date: string): string {
  const heading = `## ${version}\n`;
  if (!changelog.includes(heading)) throw new Error(`CHANGELOG.md has no heading ${version}`);
  return changelog.replace(heading, `## ${version} (${date})\n`);
}

function pattern(file: string): RegExp {
  const before = PLACES.find(([name]) => name === file)?.[1];
  if (!before) throw new Error(`${file} is not one of the versioned files`);
  return new RegExp(`(${before.source})(${VERSION})`, before.flags);
}
