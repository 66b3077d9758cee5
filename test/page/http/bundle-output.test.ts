import { expect, test } from '@jest/globals';
import { bundle } from '../../../page/http/bundle-output.ts';

const entry = (name: string) => ({
  entryPoints: { main: `dashboard/app/${name}` },
  outdir: '.local/unwritten',
});

test('a bundle requested while another is being built is built as well', async () => {
  const bundles = await Promise.all([bundle(entry('style.css')), bundle(entry('main.tsx'))]);
  expect(bundles.map(({ outputFiles }) => outputFiles.length)).toEqual([1, 1]);
});

test('a bundle that fails does not stop the next', async () => {
  const failing = bundle({ ...entry('none.ts'), logLevel: 'silent' });
  const next = bundle(entry('style.css'));
  await expect(failing).rejects.toThrow('none.ts');
  expect((await next).outputFiles).toHaveLength(1);
});
