/** The texts around the form, for a purchase or a method change. Pure. */
import { methodChangeWords } from './method-change-words.ts';
import type { PageView } from './view.ts';
import { type PriceWords, priceWords, type Words } from './words.ts';

export function formWords(words: Words, view: PageView): PriceWords {
  return view.methodChange ? methodChangeWords(words, view, view.methodChange) : priceWords(words, view);
}
