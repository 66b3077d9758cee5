import type { BootData } from '../document/document.ts';
import { startApp } from './app.ts';

// Plain pages (404, 503) have no session to start with.
const boot = document.getElementById('boot');
if (boot?.textContent) startApp(JSON.parse(boot.textContent) as BootData);
