/** Style sheets and browser modules; TypeScript types are stripped once at boot. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { Router } from 'express';

const STYLES = ['fields.css', 'challenge.css'];
const SCRIPTS = ['fields.ts', 'card-details.ts', 'card-number.ts', 'checks.ts', 'request-token.ts'];

export function assetRoutes(): Router {
  const router = Router();
  for (const name of STYLES) serve(router, name, 'text/css', sourceOf(name));
  for (const name of SCRIPTS) serve(router, name, 'text/javascript', stripTypeScriptTypes(sourceOf(name)));
  return router;
}

function serve(router: Router, name: string, type: string, text: string): void {
  router.get(`/assets/${name}`, (_request, response) => {
    response.set('Cache-Control', 'no-cache').type(type).send(text);
  });
}

function sourceOf(name: string): string {
  return readFileSync(new URL(`../browser/${name}`, import.meta.url), 'utf8');
}
