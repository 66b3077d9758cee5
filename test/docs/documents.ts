/** The project's documents, and the files, commands and links they name. @reads . */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '../..');
export const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

/** Installed or generated. */
const NOT_OURS = new Set(['node_modules', '.git', '.local', 'dist', 'coverage']);

export const files: readonly string[] = filesIn('');

function filesIn(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
}

export const documents = files.filter((path) => path.endsWith('.md')).sort();

export interface Named {
  readonly document: string;
  readonly text: string;
}

/** Inline code in a document's text. */
export function codeSpans(document: string): Named[] {
  const prose = read(document).replace(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => ({ document, text }));
}

/** The lines of a document's fenced code blocks. */
export function codeLines(document: string): Named[] {
  const blocks = [...read(document).matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.split('\n')).map((text) => ({ document, text }));
}

/** The targets of `[words](target)`, `![words](target)` and `<img src="target">`. */
export function links(document: string): Named[] {
  const prose = read(document)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/(?:\]\(|<img src=")([^)"\s]+)[)"]/g)].map(([, text = '']) => ({
    document,
    text,
  }));
}

/** The anchors of a document's headings. */
export function anchors(document: string): string[] {
  const headings = [...read(document).matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

export const inFolderOf = (document: string, path: string): string => join(dirname(document), path);
