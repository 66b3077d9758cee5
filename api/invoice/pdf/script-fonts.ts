/**
 * The fonts for scripts that Noto Sans lacks. Packages divide a font into slices of a few hundred characters, so that a
 * document reads only the slices that it needs.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

export interface Slice {
  readonly name: string;
  readonly isRightToLeft: boolean;
  readonly has: (codePoint: number) => boolean;
  /** Returns a font with only these characters of the slice, in one weight. */
  readonly subset: (characters: string, weight: number) => Promise<Buffer>;
}

const RIGHT_TO_LEFT = ['arabic', 'hebrew'];
/** Packages of which only the script's own slice is used; their other slices duplicate Noto Sans. */
const SCRIPTS = ['arabic', 'hebrew', 'devanagari', 'thai', 'georgian', 'armenian'];

/** Features that join and place the letters of these scripts. Optional ones would double the time to read a font. */
const FEATURES = (
  'ccmp locl isol init medi fina rlig calt liga curs mark mkmk kern ' +
  'nukt akhn rphf rkrf pref blwf abvf half pstf vatu cjct pres abvs blws psts haln abvm blwm dist'
).split(' ');

/** Cached slices: 44 kB each on average, at most about 140 kB. */
const MOST_KEPT = 100;
const kept = new Map<string, Promise<Buffer>>();

const scripts = SCRIPTS.map((script) => slicesOf(`noto-sans-${script}`, [script]));
const emoji = slicesOf('noto-emoji');
const symbols = slicesOf('noto-sans-georgian', ['symbols']);
const [jp, kr, sc, tc] = ['jp', 'kr', 'sc', 'tc'].map((name) => slicesOf(`noto-sans-${name}`));

/** Chinese characters differ by language: kana in the text select the Japanese forms, hangul the Korean ones. */
export async function slicesFor(text: string): Promise<readonly Slice[]> {
  const first = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? [jp, sc, tc, kr]
    : /\p{Script=Hangul}/u.test(text)
      ? [kr, sc, tc, jp]
      : [sc, tc, jp, kr];
  return (await Promise.all([...scripts, emoji, symbols, ...first])).flatMap((slices) => slices ?? []);
}

async function slicesOf(font: string, only?: readonly string[]): Promise<readonly Slice[]> {
  const folder = `@fontsource-variable/${font}`;
  const ranges = JSON.parse(await readFile(pathOf(`${folder}/unicode.json`), 'utf8'));
  return Object.entries<string>(ranges)
    .map(([key, text]) => [key.replace(/[[\]]/g, ''), text] as const)
    .filter(([key]) => !only || only.includes(key))
    .map(([key, text]) => {
      const file = pathOf(`${folder}/files/${font}-${key}-wght-normal.woff2`);
      return {
        name: `${font}-${key}`,
        isRightToLeft: RIGHT_TO_LEFT.includes(key),
        has: within(text),
        subset: async (characters, weight) =>
          subsetFont(await unpacked(file, weight), characters, {
            targetFormat: 'truetype',
            keepFeatures: FEATURES,
            noHinting: true,
          }),
      };
    });
}

/**
 * Returns a slice uncompressed, in one weight and with the needed features. Unpacking a slice takes more CPU than
 * subsetting it for a document, so the process caches the slices used last.
 */
function unpacked(file: string, weight: number): Promise<Buffer> {
  const key = `${file} ${weight}`;
  const font = kept.get(key) ?? unpack(file, weight);
  kept.delete(key);
  kept.set(key, font);
  for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
  font.catch(() => kept.delete(key));
  return font;
}

async function unpack(file: string, weight: number): Promise<Buffer> {
  return subsetFont(await readFile(file), undefined, {
    targetFormat: 'truetype',
    keepFeatures: FEATURES,
    noHinting: true,
    variationAxes: { wght: weight },
    keepAllGlyphs: true,
  });
}

/** @param ranges such as `U+0590-05FF,U+20AA`, a hundred of them for a slice of Chinese */
function within(ranges: string): Slice['has'] {
  const pairs = ranges
    .split(',')
    .map((range) => {
      const [first = 0, last = first] = range
        .replace('U+', '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      return [first, last] as const;
    })
    .sort(([a], [b]) => a - b);
  return (codePoint) => {
    let [low, high] = [0, pairs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[middle]?.[1] ?? 0) < codePoint) low = middle + 1;
      else high = middle;
    }
    const [first = Number.POSITIVE_INFINITY] = pairs[low] ?? [];
    return first <= codePoint;
  };
}

function pathOf(file: string): string {
  return fileURLToPath(import.meta.resolve(file));
}
