import { onlineManager } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { words } from '../words/words.ts';

/** While the browser is offline, data stays on the page and is read again afterwards. */
export function Offline() {
  const [online, setOnline] = useState(() => onlineManager.isOnline());
  useEffect(() => onlineManager.subscribe(setOnline), []);
  return <div role="status">{!online && <p class="note bad">{words.shell.offline}</p>}</div>;
}
