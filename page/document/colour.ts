/** Derives a palette from the merchant's colour. Every pair of colours has a contrast of at least 4.5 (WCAG AA). */
const FALLBACK: Rgb = [31, 58, 224];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The dark scheme's `--surface` and `--raised` in `page.css`, and the ground that a brand colour tints. */
const DARK_SURFACE: Rgb = [23, 28, 36];
const DARK_RAISED: Rgb = [33, 40, 52];
const DARK_GROUND: Rgb = [16, 20, 26];

export interface Palette {
  /** Background of the pay button. */
  readonly brand: string;
  readonly onBrand: '#ffffff' | '#000000';
  readonly brandHover: string;
  /** Colour of text, lines and focus rings on the page's light backgrounds. */
  readonly accent: string;
  /** Colour of light backgrounds. */
  readonly tint: string;
  readonly dark: {
    readonly accent: string;
    readonly tint: string;
    /** Border of the pay button, which a dark brand colour needs to stand out. */
    readonly edge: string;
  };
}

export function paletteOf(colour: string | null | undefined): Palette {
  const brand = parse(colour ?? '') ?? FALLBACK;
  const tint = mix(brand, WHITE, 0.94);
  let accent = brand;
  while (contrast(accent, tint) < 4.6) accent = mix(accent, BLACK, 0.06);
  return {
    brand: toHex(brand),
    onBrand: contrast(brand, WHITE) >= 4.5 ? '#ffffff' : '#000000',
    brandHover: toHex(mix(brand, contrast(brand, WHITE) >= 4.5 ? BLACK : WHITE, 0.12)),
    accent: toHex(accent),
    tint: toHex(tint),
    dark: darkOf(brand),
  };
}

function darkOf(brand: Rgb): Palette['dark'] {
  const tint = mix(brand, DARK_GROUND, 0.9);
  const grounds = [tint, DARK_SURFACE, DARK_RAISED];
  let accent = brand;
  while (grounds.some((ground) => contrast(accent, ground) < 4.6)) accent = mix(accent, WHITE, 0.06);
  const edge = contrast(brand, DARK_SURFACE) >= 3 ? brand : accent;
  return { accent: toHex(accent), tint: toHex(tint), edge: toHex(edge) };
}

type Rgb = readonly [number, number, number];

function parse(text: string): Rgb | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  const hex = short
    ? short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')
    : /^#([0-9a-f]{6})$/i.exec(text)?.[1];
  if (!hex) return null;
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
}

function toHex(colour: Rgb): string {
  return `#${colour.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const [r, g, b] = to;
  const towards = (channel: number, aim: number) => channel + (aim - channel) * share;
  return [towards(from[0], r), towards(from[1], g), towards(from[2], b)];
}

/** Returns the contrast as WCAG 2.2 defines it: (lighter + 0.05) / (darker + 0.05). */
function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
