/**
 * Makes text from a server safe to print. A terminal would obey its escape sequences: they retitle the window, hide
 * lines, or write to the clipboard.
 */

// Keeps line breaks and tabs. Removes control characters, including C1, and marks that reverse the direction of text.
const OBEYED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Escaped as in JSON, so that printed JSON stays valid. */
export function plain(text: string): string {
  return text.replace(OBEYED, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** From here on, all output of the process is plain, so that no command can forget it. */
export function printPlainly(): void {
  for (const kind of ['log', 'error'] as const) {
    const print = console[kind].bind(console);
    console[kind] = (...parts: unknown[]) =>
      print(...parts.map((part) => (typeof part === 'string' ? plain(part) : part)));
  }
}
