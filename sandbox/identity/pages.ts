/** The provider's pages: home, log-in and token. */
import { ROLES } from '../../domain/core/permissions.ts';
import { type Html, html } from '../shop/pages/html.ts';
import type { Account } from './accounts.ts';

export function homePage(accounts: readonly Account[]): string {
  return page(
    'Development accounts',
    html`<p>An OpenID Connect provider for development, without passwords. It knows these people:</p>
<table>
  <tr><th>Who</th><th>Role</th><th>Merchants</th></tr>
  ${accounts.map(
    ({ id, name, role, merchants }) =>
      html`<tr><td>${name}<br><code>${id}</code></td><td>${role}</td><td>${merchants.join(', ') || 'all'}</td></tr>`,
  )}
</table>
<p><a class="button" href="/log-in">Log in</a></p>
<h2>Add a person</h2>
<form method="post" action="/people">
<p><label>Email <input name="id" type="email" required></label>
<label>Name <input name="name" required></label></p>
<p><label>Role <select name="role">${ROLES.map((role) => html`<option>${role}</option>`)}</select></label>
<label>Ids of their merchants <input name="merchants" placeholder="ap_mer_…"></label> <button>Add</button></p>
</form>`,
  );
}

export function logInPage(uid: string, accounts: readonly Account[]): string {
  return page(
    'Who are you?',
    html`<form method="post" action="/log-in/${uid}">
  ${accounts.map(
    ({ id, name, role }) =>
      html`<p><button name="account" value="${id}">${name}</button> ${role}, <code>${id}</code></p>`,
  )}
</form>`,
  );
}

export function tokenPage(token: string): string {
  return page(
    'You are logged in',
    html`<p>Your access token is valid for a day. Send it as <code>Authorization: Bearer …</code> to the routes under
<code>/v1/merchants</code>.</p>
<p><label>Access token<textarea readonly rows="12">${token}</textarea></label></p>
<p><a href="/log-in">Log in as somebody else</a></p>`,
  );
}

export function problemPage(text: string): string {
  return page('That did not work', html`<p>${text}</p><p><a href="/">Back to the beginning</a></p>`);
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .4rem 1rem .4rem 0; vertical-align: top; }
button, .button { font: inherit; padding: .5rem 1rem; } textarea { width: 100%; }
</style>
</head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>`.text;
}
