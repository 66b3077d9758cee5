/**
 * Asks the person once for all requests that wait for the answer, including those that arrive while the question is
 * shown. After a cancelled question, requests are answered `false` until the person acts, because pages poll.
 * @param show shows or hides the question
 */
export function askOnce(show: (isAsked: boolean) => void) {
  let waiting: ((answer: boolean) => void)[] = [];
  let isCancelled = false;
  return {
    ask(): Promise<boolean> {
      if (isCancelled) return Promise.resolve(false);
      show(true);
      return new Promise((done) => waiting.push(done));
    },
    answer(given: boolean): void {
      const answered = waiting;
      waiting = [];
      isCancelled = !given;
      show(false);
      for (const done of answered) done(given);
    },
    act(): void {
      isCancelled = false;
    },
  };
}
