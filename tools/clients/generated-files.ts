/** Everything that is generated from the API description, with its path in the project. */
import { dashboardTypes } from './dashboard.ts';
import { pythonClient, pythonSchemas } from './python.ts';
import { pythonFields } from './python-fields.ts';
import { typescriptClient, typescriptSchemas } from './typescript.ts';

/** @param description as built from the routes */
export function generatedFiles(description: object): readonly (readonly [file: string, text: string])[] {
  const json = `${JSON.stringify(description, null, 1)}\n`;
  const document = JSON.parse(json);
  return [
    ['docs/openapi.json', json],
    ['dashboard/app/api/description.ts', dashboardTypes(document)],
    ['packages/node/src/schemas.ts', typescriptSchemas(document)],
    ['packages/node/src/operations.ts', typescriptClient(document)],
    ['packages/python/src/hosted_checkout/schemas.py', pythonSchemas(document)],
    ['packages/python/src/hosted_checkout/_fields.py', pythonFields(document)],
    ['packages/python/src/hosted_checkout/_operations.py', pythonClient(document)],
  ];
}
