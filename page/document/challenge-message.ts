/** The message from the challenge's return document to the page around it; both have the same origin. */
export const CHALLENGE_RETURNED = 'challenge-returned';
