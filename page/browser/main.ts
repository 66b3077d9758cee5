import type { BootData } from '../document.ts';
import { startApp } from './app.ts';

// Absent on pages that only have something to say.
const boot = document.getElementById('boot');
if (boot?.textContent) startApp(JSON.parse(boot.textContent) as BootData);
