import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { words } from '../words/words.ts';

/** True if the dialog's changes apply to both sandbox and live. */
export const AlsoLive = createContext(false);

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** True while its request runs; Escape does not close it then. */
  readonly busy?: boolean;
  readonly children: ComponentChildren;
}

/** The browser's own modal: it traps focus, closes with Escape, and returns focus. */
export function Dialog({ title, onClose, busy = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const alsoLive = useContext(AlsoLive);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby={busy ? 'none' : 'closerequest'}
      // Fallback for browsers without `closedby`.
      onClose={() => (busy ? dialog.current?.showModal() : onClose())}
    >
      <h2 id={id}>{title}</h2>
      {alsoLive && <p class="note">{words.shell.alsoLive}</p>}
      {children}
    </dialog>
  );
}
