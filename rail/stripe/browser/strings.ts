/** The document's own texts; Stripe localises its messages about cards itself. */
export interface FieldStrings {
  readonly title: string;
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
  readonly unreachable: string;
  readonly walletPrompt: string;
  readonly walletUnavailable: string;
  readonly walletCancelled: string;
  readonly useCard: string;
}

const FIELD_STRINGS: Readonly<Record<'en' | 'de', FieldStrings>> = {
  en: {
    title: 'Card details',
    number: 'Card number',
    expiry: 'Expiry date',
    cvc: 'Security code',
    unreachable: 'The connection was lost. Nothing was charged; please try again.',
    walletPrompt: 'Confirm with the button of your wallet:',
    walletUnavailable: 'This wallet is not set up on this device. Please choose another way to pay.',
    walletCancelled: 'You closed the wallet. Nothing was charged.',
    useCard: 'Cancel',
  },
  de: {
    title: 'Kartendaten',
    number: 'Kartennummer',
    expiry: 'Gültig bis',
    cvc: 'Prüfnummer',
    unreachable: 'Die Verbindung ist abgerissen. Es wurde nichts abgebucht; bitte erneut versuchen.',
    walletPrompt: 'Bestätigen Sie mit der Schaltfläche Ihrer Wallet:',
    walletUnavailable:
      'Diese Wallet ist auf diesem Gerät nicht eingerichtet. Bitte wählen Sie eine andere Zahlart.',
    walletCancelled: 'Sie haben die Wallet geschlossen. Es wurde nichts abgebucht.',
    useCard: 'Abbrechen',
  },
};

export function stringsOf(language: string): FieldStrings {
  return language === 'de' ? FIELD_STRINGS.de : FIELD_STRINGS.en;
}
