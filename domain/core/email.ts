/** Email addresses as people type and paste them: one rule for the API and the hosted page. */

/** White space, control characters, and characters without a glyph. */
const UNSEEN = '[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]';
const UNSEEN_ENDS = new RegExp(`^${UNSEEN}+|${UNSEEN}+$`, 'gu');
const HAS_UNSEEN = new RegExp(UNSEEN, 'u');
/** Matches text that looks like an address: one @, and a domain with a dot. */
const EMAIL = /^[^@]+@[^@.]+(\.[^@.]+)+$/u;

/** Phones put direction marks around an address when they copy it. */
export function tidyEmail(text: string): string {
  return text.replace(UNSEEN_ENDS, '');
}

export function isEmail(text: string): boolean {
  return EMAIL.test(text) && !HAS_UNSEEN.test(text);
}
