import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildWorkflowBundle } from '../../../worker/bundle.ts';

let code: string;
beforeAll(async () => {
  code = await buildWorkflowBundle();
});

describe('the workflow bundle', () => {
  test.each(['db/', 'rail/', 'api/', 'page/', 'activities/', 'bin/'])(
    'contains no module of %s',
    (folder) => {
      const modules = [
        ...code.matchAll(/^\s*!\*\*\* (\.\/\S+) \*\*\*!$/gm),
        ...code.matchAll(/"(\.\/[a-z-]+\/[^"]+\.ts)"/g),
      ];
      expect(modules.length).toBeGreaterThan(5);
      expect(modules.map(([, path]) => path).filter((path) => path?.startsWith(`./${folder}`))).toEqual([]);
    },
  );

  test.each(['slonik', 'express', 'undici', 'stripe', 'pino'])('does not contain %s', (name) => {
    expect(code).not.toContain(`node_modules/${name}/`);
  });
});
