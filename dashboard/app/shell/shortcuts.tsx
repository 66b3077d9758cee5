import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { words } from '../words/words.ts';

const GO_WITHIN_MS = 1_200;

interface ShortcutsProps {
  /** Targets of the letters after `g`. */
  readonly items: readonly { readonly href: string; readonly text: string; readonly letter: string }[];
}

/** `/` searches, `g` and a letter goes to a page, `?` shows help. Disabled while typing. */
export function Shortcuts({ items }: ShortcutsProps) {
  const [, go] = useLocation();
  const [help, setHelp] = useState(false);
  // A ref, because the page may be rendered between the two keys, for example with refreshed figures.
  const goSince = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (event.metaKey || event.ctrlKey || event.altKey || target.closest('input, textarea, select, dialog'))
        return;
      const to =
        Date.now() - goSince.current < GO_WITHIN_MS
          ? items.find(({ letter }) => letter === event.key)
          : undefined;
      goSince.current = event.key === 'g' ? Date.now() : 0;
      if (to) go(to.href);
      else if (event.key === '?') setHelp(true);
      else if (event.key === '/') {
        const box = document.querySelector<HTMLInputElement>('[data-search]');
        if (!box) return;
        event.preventDefault();
        box.select();
        box.focus();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  if (!help) return null;
  return (
    <Dialog title={words.shell.shortcuts} onClose={() => setHelp(false)}>
      <dl class="shortcuts">
        <Shortcut keys={['/']} text={words.shell.shortcutSearch} />
        <Shortcut keys={['?']} text={words.shell.shortcutHelp} />
        {items.map(({ text, letter }) => (
          <Shortcut key={letter} keys={['g', letter]} text={words.shell.shortcutGo(text)} />
        ))}
      </dl>
      <div class="dialog-actions">
        <Button onClick={() => setHelp(false)}>{words.common.close}</Button>
      </div>
    </Dialog>
  );
}

function Shortcut({ keys, text }: { readonly keys: readonly string[]; readonly text: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  );
}
