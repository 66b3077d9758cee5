/** The card of every buyer, which the sandbox rail approves. */
import type { Http } from './http.ts';
import type { Place } from './place.ts';

const CARD = {
  number: '4242424242424242',
  expMonth: 12,
  expYear: new Date().getUTCFullYear() + 3,
  cvc: '123',
};

/** Gives the card to the rail, as the card fields do. */
export async function cardToken(http: Http, dev: Place['dev'], account: string): Promise<string> {
  const { token } = JSON.parse(await http.ask(`${dev.railUrl}/tokens`, { body: { account, ...CARD } }));
  return token;
}
