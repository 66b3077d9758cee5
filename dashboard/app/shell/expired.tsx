/**
 * Handles a log-in that expires while a page is open: the input stays, and the request continues after a new log-in.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { askOnce } from '../session/ask-once.ts';
import type { Session } from '../session/log-in.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { words } from '../words/words.ts';

export function useExpiry(session: Session) {
  const [isAsked, setAsked] = useState(false);
  const { ask, answer, act } = useMemo(() => askOnce(setAsked), []);
  useEffect(() => {
    const kinds = ['pointerdown', 'keydown'];
    for (const kind of kinds) addEventListener(kind, act, true);
    return () => {
      for (const kind of kinds) removeEventListener(kind, act, true);
    };
  }, [act]);
  const dialog = isAsked && (
    <Dialog title={words.session.expired} onClose={() => answer(false)}>
      <p>{words.session.expiredText}</p>
      <div class="dialog-actions">
        <Button onClick={() => answer(false)}>{words.common.cancel}</Button>
        <Button kind="primary" onClick={async () => (await session.logInAgain()) && answer(true)}>
          {words.session.again}
        </Button>
      </div>
    </Dialog>
  );
  return { whenExpired: ask, dialog };
}
