/** Handles a log-in that ended while a page is open: the input stays, and the request continues after a new log-in. */
import { useMemo, useState } from 'preact/hooks';
import type { Session } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { words } from '../words/words.ts';

interface Waiting {
  readonly done: (again: boolean) => void;
}

export function useExpiry(session: Session) {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const whenExpired = useMemo(
    () => () => new Promise<boolean>((done) => setWaiting((others) => [...others, { done }])),
    [],
  );
  const end = (again: boolean) => {
    for (const { done } of waiting) done(again);
    setWaiting([]);
  };
  const dialog = waiting.length > 0 && (
    <Dialog title={words.session.expired} onClose={() => end(false)}>
      <p>{words.session.expiredText}</p>
      <div class="dialog-actions">
        <Button onClick={() => end(false)}>{words.common.cancel}</Button>
        <Button kind="primary" onClick={async () => (await session.logInAgain()) && end(true)}>
          {words.session.again}
        </Button>
      </div>
    </Dialog>
  );
  return { whenExpired, dialog };
}
