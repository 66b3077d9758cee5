/** How the buyer reaches the merchant. Pure. */
import { type Html, html } from './html.ts';
import type { PageView } from './view.ts';
import type { Words } from './words.ts';

/** Returns null if the merchant has given neither a way to contact it nor more than its name. */
export function contactOf({ strings }: Words, { merchant }: PageView): Html | null {
  const links = supportLinks(merchant.support);
  // The page's head names the merchant already.
  const lines = merchant.contact.filter((line) => line !== merchant.name);
  if (!links && lines.length === 0) return null;
  return html`<div class="contact"><h3>${strings.contact}</h3>${links}${
    lines.length > 0 && html`<p class="contact-lines" dir="auto">${lines.join('\n')}</p>`
  }</div>`;
}

/** Returns links to the merchant's support (email, website, phone); null if it has given none. */
export function supportLinks({ email, url, phone }: PageView['merchant']['support']): Html | null {
  const links = [
    email && [`mailto:${encodeURIComponent(email).replace('%40', '@')}`, email],
    url && [url, url.replace(/^https?:\/\/|\/$/g, '')],
    phone && [`tel:${phone.replace(/[^+\d]/g, '')}`, phone],
  ].filter((link) => Array.isArray(link));
  if (links.length === 0) return null;
  return html`<ul class="contact-links">${links.map(
    ([href, text]) =>
      html`<li><a href="${href}" target="_blank" rel="noopener noreferrer"><bdi>${text}</bdi></a></li>`,
  )}</ul>`;
}
