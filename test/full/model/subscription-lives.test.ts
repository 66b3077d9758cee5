import { test } from '@jest/globals';
import { checkLives } from '../../support/core/subscription-lives.ts';

test('the calculation holds in 10,000 random lives', () => checkLives(10_000), 300_000);
