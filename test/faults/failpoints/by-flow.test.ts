import { expect, test } from '@jest/globals';
import { tellByFlow } from './by-flow.ts';
import { FLOWS, pointsOf } from './points.ts';

test('each flow is listed with its reached and unreached failpoints', () => {
  const [begun = '', ended = ''] = pointsOf('sweep');
  const lines = tellByFlow([begun, ...pointsOf('dispute')]);
  expect(lines.filter((line) => !line.startsWith(' '))).toHaveLength(FLOWS.length);
  expect(lines).toContain(`dispute, 2 of 2: ${pointsOf('dispute').join('; ')}`);
  const sweep = lines.indexOf(`sweep, 1 of 4: ${begun}`);
  expect(lines[sweep + 1]).toMatch(`  not reached: ${ended}; `);
  expect(lines).toContain(`restore, 0 of 8: none`);
});
