/**
 * Makes text from a server safe to print. A terminal would execute escape sequences in the text: they can rename the
 * window, hide lines, or write to the clipboard.
 */

// Matches control characters, including C1 but not line breaks and tabs, and marks that change the text's direction.
const OBEYED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes the characters as in JSON, so that printed JSON stays valid. */
export function plain(text: string): string {
  return text.replace(OBEYED, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Escapes all output of the process from here on, so that no command can forget it. */
export function printPlainly(): void {
  for (const kind of ['log', 'error'] as const) {
    const print = console[kind].bind(console);
    console[kind] = (...parts: unknown[]) =>
      print(...parts.map((part) => (typeof part === 'string' ? plain(part) : part)));
  }
}
