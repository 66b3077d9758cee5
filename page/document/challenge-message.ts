/** The message from the challenge's return document to the page around it, same origin only. */
export const CHALLENGE_RETURNED = 'challenge-returned';
