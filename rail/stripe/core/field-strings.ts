import type { Language } from '../../../domain/core/languages.ts';

/** The document's own strings; Stripe itself localises its messages about cards. */
const en = {
  title: 'Card details',
  number: 'Card number',
  expiry: 'Expiry date',
  cvc: 'Security code',
  unreachable: 'The connection was lost. Nothing was charged; please try again.',
  walletPrompt: 'Confirm with the button of your wallet:',
  walletUnavailable: 'This wallet is not set up on this device. Please choose another way to pay.',
  walletCancelled: 'You closed the wallet. Nothing was charged.',
  useCard: 'Cancel',
};

export type FieldStrings = Readonly<Record<keyof typeof en, string>>;

export const FIELD_STRINGS: Readonly<Record<Language, FieldStrings>> = {
  en,
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
  es: {
    title: 'Datos de la tarjeta',
    number: 'Número de tarjeta',
    expiry: 'Fecha de caducidad',
    cvc: 'Código de seguridad',
    unreachable: 'Se ha perdido la conexión. No se ha cobrado nada; inténtelo de nuevo.',
    walletPrompt: 'Confirme con el botón de su monedero:',
    walletUnavailable: 'Este monedero no está configurado en este dispositivo. Elija otra forma de pago.',
    walletCancelled: 'Ha cerrado el monedero. No se ha cobrado nada.',
    useCard: 'Cancelar',
  },
  fr: {
    title: 'Données de la carte',
    number: 'Numéro de carte',
    expiry: 'Date d’expiration',
    cvc: 'Code de sécurité',
    unreachable: 'La connexion a été perdue. Rien n’a été débité ; veuillez réessayer.',
    walletPrompt: 'Confirmez avec le bouton de votre portefeuille :',
    walletUnavailable:
      'Ce portefeuille n’est pas configuré sur cet appareil. Veuillez choisir un autre moyen de paiement.',
    walletCancelled: 'Vous avez fermé le portefeuille. Rien n’a été débité.',
    useCard: 'Annuler',
  },
  it: {
    title: 'Dati della carta',
    number: 'Numero della carta',
    expiry: 'Data di scadenza',
    cvc: 'Codice di sicurezza',
    unreachable: 'La connessione si è interrotta. Non è stato addebitato nulla; riprovi.',
    walletPrompt: 'Confermi con il pulsante del suo wallet:',
    walletUnavailable:
      'Questo wallet non è configurato su questo dispositivo. Scelga un altro modo di pagare.',
    walletCancelled: 'Ha chiuso il wallet. Non è stato addebitato nulla.',
    useCard: 'Annulla',
  },
  nl: {
    title: 'Kaartgegevens',
    number: 'Kaartnummer',
    expiry: 'Vervaldatum',
    cvc: 'Beveiligingscode',
    unreachable: 'De verbinding is verbroken. Er is niets afgeschreven; probeer het opnieuw.',
    walletPrompt: 'Bevestig met de knop van uw wallet:',
    walletUnavailable: 'Deze wallet is niet ingesteld op dit apparaat. Kies een andere betaalwijze.',
    walletCancelled: 'U hebt de wallet gesloten. Er is niets afgeschreven.',
    useCard: 'Annuleren',
  },
  pl: {
    title: 'Dane karty',
    number: 'Numer karty',
    expiry: 'Data ważności',
    cvc: 'Kod CVC',
    unreachable: 'Połączenie zostało przerwane. Nic nie zostało pobrane; proszę spróbować ponownie.',
    walletPrompt: 'Proszę potwierdzić przyciskiem portfela:',
    walletUnavailable:
      'Ten portfel nie jest skonfigurowany na tym urządzeniu. Proszę wybrać inny sposób płatności.',
    walletCancelled: 'Portfel został zamknięty. Nic nie zostało pobrane.',
    useCard: 'Anuluj',
  },
  pt: {
    title: 'Dados do cartão',
    number: 'Número do cartão',
    expiry: 'Data de validade',
    cvc: 'Código de segurança',
    unreachable: 'A ligação perdeu-se. Nada foi cobrado; tente novamente.',
    walletPrompt: 'Confirme com o botão da sua carteira:',
    walletUnavailable:
      'Esta carteira não está configurada neste dispositivo. Escolha outra forma de pagamento.',
    walletCancelled: 'Fechou a carteira. Nada foi cobrado.',
    useCard: 'Cancelar',
  },
};
