/** Lays out a text: a font for each character, line breaks, and the visual order of each line (UAX 9). */
import bidiFactory from 'bidi-js';
import LineBreaker from 'linebreak';
import type { Face, Paper } from './paper.ts';

/** Text that one font draws in one call. */
export interface Run {
  readonly text: string;
  readonly face: Face;
}

/** A range of a paragraph's text. */
interface Range {
  readonly start: number;
  readonly end: number;
}

interface Cluster extends Range {
  readonly text: string;
  readonly face: Face;
}

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const thaiWords = new Intl.Segmenter('th', { granularity: 'word' });

export class Paragraph {
  readonly #text: string;
  readonly #levels: ReturnType<typeof bidi.getEmbeddingLevels>;
  readonly #clusters: readonly Cluster[];
  /** The index of the cluster at each position in the text. */
  readonly #clusterAt: readonly number[];

  constructor(paper: Paper, text: string, weight: 'regular' | 'bold') {
    this.#text = printable(paper, text, weight);
    this.#levels = bidi.getEmbeddingLevels(this.#text);
    this.#clusters = clustersOf(paper, this.#text, weight);
    this.#clusterAt = this.#clusters.flatMap(({ start, end }, n) => Array<number>(end - start).fill(n));
  }

  /** Breaks the text into lines where breaks are allowed, and within a word only if the word alone is too wide. */
  lines(width: number, widthOf: (runs: readonly Run[]) => number): readonly Range[] {
    const fits = (start: number, end: number) => widthOf(this.runs(this.trimmed({ start, end }))) <= width;
    const lines: Range[] = [];
    let start = 0;
    let end = 0;
    const endLine = () => {
      if (end > start) lines.push({ start, end });
      start = end;
    };
    for (const { pieces, isRequired } of breaksOf(this.#text)) {
      for (const piece of pieces) {
        if (!fits(start, piece.end)) {
          endLine();
          for (const cluster of fits(start, piece.end) ? [] : within(this.#clusters, piece)) {
            if (!fits(start, cluster.end)) endLine();
            end = cluster.end;
          }
        }
        end = piece.end;
      }
      if (isRequired) endLine();
    }
    endLine();
    return lines;
  }

  /** Returns a line without the space at its end. */
  trimmed({ start, end }: Range): Range {
    return { start, end: start + this.#text.slice(start, end).trimEnd().length };
  }

  /** Returns a line's runs from left to right. */
  runs({ start, end }: Range): readonly Run[] {
    const runs: (Run & { n: number; isReversed: boolean })[] = [];
    let last = -1;
    const indices = bidi.getReorderedIndices(this.#text, this.#levels, start, end - 1).slice(start, end);
    for (const index of indices) {
      const n = this.#clusterAt[index] ?? 0;
      const cluster = this.#clusters[n];
      if (n === last || !cluster?.text) continue;
      last = n;
      const { text, face } = cluster;
      const isReversed = this.#isReversed(index);
      const before = runs.at(-1);
      // Fonts of Hebrew and Arabic reverse their text themselves; other reversed text is drawn cluster by cluster.
      const isJoined =
        before?.face === face &&
        before.isReversed === isReversed &&
        face.isRightToLeft === isReversed &&
        before.n === n + (isReversed ? 1 : -1);
      if (!isJoined) {
        const mirrored = isReversed ? (bidi.getMirroredCharacter(text) ?? text) : text;
        runs.push({ text: mirrored, face, n, isReversed });
      } else {
        runs[runs.length - 1] = {
          ...before,
          text: isReversed ? text + before.text : before.text + text,
          n,
        };
      }
    }
    return runs;
  }

  /** Returns a line's text in reading order; null if the line is drawn in that order. */
  reading({ start, end }: Range): string | null {
    for (let index = start; index < end; index++)
      if (this.#isReversed(index)) return this.#text.slice(start, end).replace(/\p{Bidi_Control}/gu, '');
    return null;
  }

  #isReversed(index: number): boolean {
    return (this.#levels.levels[index] ?? 0) % 2 === 1;
  }
}

/** Replaces every line break and space by one that the fonts have; no-break spaces keep their meaning. */
function plainSpaced(text: string): string {
  return text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll(/[^\S\n\u00a0\u202f]/g, ' ');
}

/** Replaces characters that no font has with their codes. */
function printable(paper: Paper, text: string, weight: 'regular' | 'bold'): string {
  return plainSpaced(text).replace(/[^\n]/gu, (character) => {
    if (paper.faceOf(character, weight)) return character;
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    // Isolated: within Hebrew, the code still reads from left to right.
    return `\u2066[U+${code}]\u2069`;
  });
}

function clustersOf(paper: Paper, text: string, weight: 'regular' | 'bold'): readonly Cluster[] {
  return [...graphemes.segment(text)].flatMap(({ segment, index }) => {
    const whole = paper.faceOf(segment, weight);
    const parts = whole ? [segment] : [...segment];
    let start = index;
    return parts.map((part) => {
      const range = { start, end: start + part.length };
      start = range.end;
      const face = whole ?? paper.faceOf(part, weight) ?? { name: weight, isRightToLeft: false };
      // A line break becomes a space, so that screen readers do not join two words. The narrow space in French amounts
      // stays: columns are measured with it.
      return { ...range, text: paper.drawn(part.replace(/[^\S\u202f]/, ' '), face), face };
    });
  });
}

/** Finds where a text may be broken into lines (UAX 14). Thai has no spaces: its words come from a dictionary. */
function breaksOf(text: string) {
  const breaker = new LineBreaker(text);
  const breaks: { pieces: readonly Range[]; isRequired: boolean }[] = [];
  let start = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const piece = { start, end: next.position };
    const pieces = /\p{Script=Thai}/u.test(text.slice(piece.start, piece.end))
      ? wordsOf(text, piece)
      : [piece];
    breaks.push({ pieces, isRequired: next.required });
    start = next.position;
  }
  return breaks;
}

function wordsOf(text: string, { start, end }: Range): readonly Range[] {
  return [...thaiWords.segment(text.slice(start, end))].map(({ segment, index }) => ({
    start: start + index,
    end: start + index + segment.length,
  }));
}

function within(clusters: readonly Cluster[], { start, end }: Range): readonly Cluster[] {
  return clusters.filter((cluster) => cluster.start >= start && cluster.end <= end);
}
