/** What the document at the end of a confirmation tells the page around it, same origin only. */
export const CHALLENGE_RETURNED = 'challenge-returned';
