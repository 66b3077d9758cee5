/** What the double's bank shows. */
export function challengePage(): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bank</title>
<h1>Is it you?</h1>
<form method="post"><button name="result" value="approve">Yes, pay</button> <button name="result" value="fail">No</button></form>
</html>`;
}
