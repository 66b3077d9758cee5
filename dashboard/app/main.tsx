import { render } from 'preact';
import { readConfig } from './api/config.ts';
import { isSignedOutPage, openSession } from './session/log-in.ts';
import { Failure, SignedOut } from './session/screens.tsx';
import { App } from './shell/app.tsx';
import { loadWords, words } from './words/words.ts';

async function start(root: Element): Promise<void> {
  await loadWords();
  if (isSignedOutPage()) return render(<SignedOut />, root);
  const config = await readConfig();
  if (!config.logIn) {
    const { noProvider, noProviderText } = words.session;
    return render(<Failure title={noProvider} text={noProviderText} />, root);
  }
  const session = await openSession(config);
  if (session) render(<App config={config} session={session} />, root);
}

const root = document.getElementById('app');
if (root) {
  start(root).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    render(<Failure title={words.session.failed} text={text} />, root);
  });
}
