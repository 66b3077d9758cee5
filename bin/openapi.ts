/**
 * `npm run openapi`: generates docs/openapi.json from the routes, and the dashboard's types from it. Needs neither
 * the database nor Temporal.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedRoutes } from '../api/described-routes.ts';
import { describeApi } from '../contract/openapi/document.ts';
import { typesOf } from '../dashboard/types.ts';
import { PROJECT_DIR } from '../sandbox/stack/places.ts';

const text = JSON.stringify(describeApi(describedRoutes()), null, 1);
writeFileSync(join(PROJECT_DIR, 'docs/openapi.json'), `${text}\n`);
writeFileSync(join(PROJECT_DIR, 'dashboard/app/api/description.ts'), typesOf(JSON.parse(text)));
