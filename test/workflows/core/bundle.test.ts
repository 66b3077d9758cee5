import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildWorkflowBundle } from '../../../worker/bundle.ts';

let code: string;
beforeAll(async () => {
  code = await buildWorkflowBundle();
});

describe('the workflow bundle', () => {
  it.each(['db/', 'rail/', 'api/', 'page/', 'activities/', 'bin/'])('holds no module of %s', (folder) => {
    const modules = [
      ...code.matchAll(/^\s*!\*\*\* (\.\/\S+) \*\*\*!$/gm),
      ...code.matchAll(/"(\.\/[a-z-]+\/[^"]+\.ts)"/g),
    ];
    expect(modules.length).toBeGreaterThan(5);
    expect(modules.map(([, path]) => path).filter((path) => path?.startsWith(`./${folder}`))).toEqual([]);
  });

  it.each(['slonik', 'express', 'undici', 'stripe', 'pino'])('holds nothing of %s', (name) => {
    expect(code).not.toContain(`node_modules/${name}/`);
  });
});
