/**
 * Asks the person once for all requests that wait for the answer, including those that arrive while the question is
 * shown.
 * @param show shows or hides the question
 */
export function askOnce(show: (isAsked: boolean) => void) {
  let waiting: ((answer: boolean) => void)[] = [];
  return {
    ask(): Promise<boolean> {
      show(true);
      return new Promise((done) => waiting.push(done));
    },
    answer(given: boolean): void {
      const answered = waiting;
      waiting = [];
      show(false);
      for (const done of answered) done(given);
    },
  };
}
