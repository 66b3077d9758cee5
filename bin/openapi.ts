/**
 * `npm run openapi`: writes docs/openapi.json anew, out of the routes as they are. Nothing is asked and nothing is
 * served: database and Temporal need not be there.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedRoutes } from '../api/described-routes.ts';
import { describeApi } from '../contract/openapi/document.ts';
import { PROJECT_DIR } from '../sandbox/stack/places.ts';

const description = describeApi(describedRoutes());
writeFileSync(join(PROJECT_DIR, 'docs/openapi.json'), `${JSON.stringify(description, null, 1)}\n`);
