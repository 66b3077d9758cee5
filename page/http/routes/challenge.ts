import type { Response } from 'express';
import { challengeDocument, challengeReturnDocument } from '../../document/challenge-document.ts';
import { choosePageLanguage, type PageLanguage, stringsOf } from '../../document/language.ts';
import type { Words } from '../../document/words.ts';
import type { PageContext } from '../context.ts';
import { load, type SessionRequest } from '../load.ts';
import { newNonce, setChallengePolicy } from '../security-headers.ts';
import { hostedUrl } from '../urls.ts';

/** `GET /pay/:pageToken/challenge`: the document that frames the bank's page. */
export function challenge(context: PageContext) {
  return async (req: SessionRequest, res: Response) => {
    const loaded = await load(context, req);
    const nonce = newNonce();
    setChallengePolicy(res, nonce, isDevelopment(context));
    res.status(loaded ? 200 : 404).type('html');
    res.send(
      challengeDocument(
        wordsIn(loaded?.pageLanguage ?? choosePageLanguage(req)),
        loaded?.view.challenge?.url ?? null,
        nonce,
      ),
    );
  };
}

/**
 * `/pay/:pageToken/challenge/return`: the final address of the bank's frame, by GET or POST. Reads no session and
 * trusts no parameter: this document only makes the page around it ask for the outcome.
 */
export function challengeReturn(context: PageContext) {
  return (req: SessionRequest, res: Response) => {
    const nonce = newNonce();
    setChallengePolicy(res, nonce, isDevelopment(context));
    const pageUrl = `${hostedUrl(context.config.api.publicUrl, req.params.pageToken)}?returned=1`;
    res.type('html').send(challengeReturnDocument(wordsIn(choosePageLanguage(req)), pageUrl, nonce));
  };
}

function wordsIn(pageLanguage: PageLanguage): Words {
  return { ...pageLanguage, strings: stringsOf(pageLanguage.language) };
}

function isDevelopment({ config }: PageContext): boolean {
  return new URL(config.api.publicUrl).protocol === 'http:';
}
