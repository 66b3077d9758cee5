/**
 * Seals the page tokens that the previous release wrote in plain text, so that a copy of the database opens no session.
 * The sweep does it, because migrations have no key. While the previous release runs, it needs the plain text.
 */
import {
  answersWithPlainToken,
  clearPlainToken,
  replacePinnedAnswer,
  sessionsWithPlainToken,
} from '../../db/session/plain-tokens.ts';
import { sealPageToken } from '../../secrets/page-token.ts';
import { sealAnswer } from '../../secrets/pinned-answer.ts';
import { pinnedAnswerOf } from '../../secrets/places.ts';
import { isChoreOver } from '../../temporal/chore-budget.ts';
import type { ActivityDeps } from '../core/deps.ts';

/** A short transaction each: buyers' statements never wait for it. */
const BATCH = 200;

export async function sealPlainTokens({ pool, secretBox }: ActivityDeps): Promise<void> {
  if (secretBox.previousReleaseRuns) return;
  for (let found = BATCH; found === BATCH && !isChoreOver(); ) {
    const sessions = await sessionsWithPlainToken(pool, BATCH);
    for (const session of sessions) {
      await clearPlainToken(pool, session, sealPageToken(secretBox, session.session_id));
    }
    const pinned = await answersWithPlainToken(pool, BATCH);
    for (const { answer, ...name } of pinned) {
      await replacePinnedAnswer(
        pool,
        name,
        sealAnswer(secretBox, answer, pinnedAnswerOf(name.scope, name.key)),
      );
    }
    found = Math.max(sessions.length, pinned.length);
  }
}
