/** The sections of docs/on-call.md, one per cause. @reads docs */
import { read } from './documents.ts';

export const ON_CALL = 'docs/on-call.md';
export const LINES = ['Means', 'Hit', 'First', 'Then', 'Over when', 'Wake', 'Never'] as const;
type Line = (typeof LINES)[number];

interface CauseSection {
  readonly name: string;
  readonly text: string;
  /** In document order. */
  readonly lines: readonly (readonly [name: string, text: string])[];
}

export function causes(): readonly CauseSection[] {
  const [, ...sections] = read(ON_CALL).split(/^### /m);
  return sections.map((section) => {
    const [name = '', text = ''] = [section.split('\n')[0], section.split('\n').slice(1).join('\n')];
    const own = text.split(/^## /m)[0]?.trim() ?? '';
    const lines = own.split('\n').map((line) => {
      const [, label = '', words = ''] = /^- \*\*([\w ]+):\*\* (.+)$/.exec(line) ?? [];
      return [label, words] as const;
    });
    return { name, text: own, lines };
  });
}

export function lineOf({ lines }: CauseSection, line: Line): string {
  return lines.find(([name]) => name === line)?.[1] ?? '';
}

/** As printed: `ops …`. */
export function firstCommandOf(section: CauseSection): string {
  return /^`([^`]+)`$/.exec(lineOf(section, 'First'))?.[1] ?? '';
}
