import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { paletteOf } from '../../../page/document/colour.ts';

test('text on and in any brand colour has a contrast of at least 4.5', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, (brand) => {
      const palette = paletteOf(brand);
      expect(palette.brand).toBe(brand);
      expect(contrast(palette.onBrand, palette.brand)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(palette.onBrand, palette.brandHover)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(palette.accent, palette.tint)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(palette.accent, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrast('#556074', palette.tint)).toBeGreaterThanOrEqual(4.5);
      const { accent, tint, edge } = palette.dark;
      for (const ground of [tint, '#171c24', '#212834'])
        expect(contrast(accent, ground)).toBeGreaterThanOrEqual(4.5);
      for (const text of ['#a9b3c2', '#e8ecf2']) expect(contrast(text, tint)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(edge, '#171c24')).toBeGreaterThanOrEqual(3);
    }),
    { numRuns: 2_000 },
  );
});

test('short hex colours are expanded, and anything else becomes the default colour', () => {
  expect(paletteOf('#0af').brand).toBe('#00aaff');
  for (const nonsense of [undefined, null, '', 'red', '#12', 'url(x)', '#12345g']) {
    expect(paletteOf(nonsense).brand).toBe('#1f3ae0');
  }
});

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
