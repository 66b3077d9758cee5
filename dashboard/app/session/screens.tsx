/** Screens without a session. */
import { BASE } from '../api/config.ts';
import { words } from '../words/words.ts';

export function SignedOut() {
  return (
    <main class="screen">
      <h1>{words.session.loggedOut}</h1>
      <a class="button primary" href={`${BASE}/`}>
        {words.session.logIn}
      </a>
    </main>
  );
}

export function Failure({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <main class="screen">
      <h1>{title}</h1>
      <p>{text}</p>
      <a class="button" href={`${BASE}/`}>
        {words.session.again}
      </a>
    </main>
  );
}
