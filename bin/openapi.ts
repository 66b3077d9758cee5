/** `npm run openapi`: generates docs/openapi.json from the routes. Needs neither the database nor Temporal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedRoutes } from '../api/described-routes.ts';
import { describeApi } from '../contract/openapi/document.ts';
import { PROJECT_DIR } from '../sandbox/stack/places.ts';

const description = describeApi(describedRoutes());
writeFileSync(join(PROJECT_DIR, 'docs/openapi.json'), `${JSON.stringify(description, null, 1)}\n`);
