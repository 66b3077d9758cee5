/**
 * One question to the person for all requests that wait for its answer, also for those that join while it is asked.
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
