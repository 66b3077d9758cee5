import type { BootData } from '../document/page.ts';
import { RELOAD_TRIES } from '../document/storage-keys.ts';
import { startApp } from './app.ts';
import { showPreview } from './preview.ts';

try {
  // The script is running: reset the counter of reloads for the next deployment.
  sessionStorage.removeItem(RELOAD_TRIES);
} catch {
  // Storage is disabled: nothing was counted.
}

// Plain pages (404, 503) have no session to start with.
const boot = document.getElementById('boot');
if (boot?.textContent) {
  const data = JSON.parse(boot.textContent) as BootData;
  if (data.preview) showPreview(data, data.preview);
  else startApp(data);
}
