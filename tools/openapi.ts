/**
 * `npm run openapi`: generates docs/openapi.json from the routes, and from it the types of the dashboard and of the
 * clients in packages/. Needs neither the database nor Temporal.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedRoutes } from '../api/described-routes.ts';
import { describeApi } from '../contract/openapi/document.ts';
import { PROJECT_DIR } from '../sandbox/stack/core/directories.ts';
import { generatedFiles } from './clients/generated-files.ts';

for (const [file, text] of generatedFiles(describeApi(describedRoutes()))) {
  writeFileSync(join(PROJECT_DIR, file), text);
}
