/** The strings of the card fields. The document passes its script the strings of its language. */
import type { Language } from '../../../domain/core/languages.ts';

export interface FieldStrings {
  readonly title: string;
  readonly number: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly cvc: string;
  readonly problems: Readonly<Record<Problem, string>>;
}

/** Invalid input, or a failed request. */
export type Problem =
  | 'number_missing'
  | 'number_invalid'
  | 'not_a_test_card'
  | 'expiry_missing'
  | 'expiry_invalid'
  | 'expiry_past'
  | 'cvc_missing'
  | 'cvc_invalid'
  | 'account_refused'
  | 'rail_unreachable';

export const FIELD_STRINGS: Readonly<Record<Language, FieldStrings>> = {
  en: {
    title: 'Card details',
    number: 'Card number',
    expiry: 'Expiry date',
    expiryHint: 'MM / YY',
    cvc: 'Security code',
    problems: {
      number_missing: 'Enter the card number.',
      number_invalid: 'This card number is not valid.',
      not_a_test_card: 'Only test cards work here. Please use a test card number.',
      expiry_missing: 'Enter the expiry date.',
      expiry_invalid: 'Enter the date as month and year, for example 04 / 30.',
      expiry_past: 'This card has expired.',
      cvc_missing: 'Enter the security code.',
      cvc_invalid: 'The security code has 3 or 4 digits.',
      account_refused: 'Card payments are not available at the moment.',
      rail_unreachable: 'The connection was lost. Nothing was charged; please try again.',
    },
  },
  de: {
    title: 'Kartendaten',
    number: 'Kartennummer',
    expiry: 'Gültig bis',
    expiryHint: 'MM / JJ',
    cvc: 'Prüfnummer',
    problems: {
      number_missing: 'Bitte die Kartennummer eingeben.',
      number_invalid: 'Diese Kartennummer ist nicht gültig.',
      not_a_test_card: 'Hier funktionieren nur Testkarten. Bitte eine Testkartennummer verwenden.',
      expiry_missing: 'Bitte das Ablaufdatum eingeben.',
      expiry_invalid: 'Bitte Monat und Jahr eingeben, zum Beispiel 04 / 30.',
      expiry_past: 'Diese Karte ist abgelaufen.',
      cvc_missing: 'Bitte die Prüfnummer eingeben.',
      cvc_invalid: 'Die Prüfnummer hat 3 oder 4 Ziffern.',
      account_refused: 'Kartenzahlungen sind im Moment nicht möglich.',
      rail_unreachable: 'Die Verbindung ist abgerissen. Es wurde nichts abgebucht; bitte erneut versuchen.',
    },
  },
  es: {
    title: 'Datos de la tarjeta',
    number: 'Número de tarjeta',
    expiry: 'Fecha de caducidad',
    expiryHint: 'MM / AA',
    cvc: 'Código de seguridad',
    problems: {
      number_missing: 'Introduzca el número de tarjeta.',
      number_invalid: 'Este número de tarjeta no es válido.',
      not_a_test_card: 'Aquí solo funcionan las tarjetas de prueba. Use un número de tarjeta de prueba.',
      expiry_missing: 'Introduzca la fecha de caducidad.',
      expiry_invalid: 'Introduzca el mes y el año, por ejemplo 04 / 30.',
      expiry_past: 'Esta tarjeta ha caducado.',
      cvc_missing: 'Introduzca el código de seguridad.',
      cvc_invalid: 'El código de seguridad tiene 3 o 4 cifras.',
      account_refused: 'Los pagos con tarjeta no están disponibles en este momento.',
      rail_unreachable: 'Se ha perdido la conexión. No se ha cobrado nada; inténtelo de nuevo.',
    },
  },
  fr: {
    title: 'Données de la carte',
    number: 'Numéro de carte',
    expiry: 'Date d’expiration',
    expiryHint: 'MM / AA',
    cvc: 'Code de sécurité',
    problems: {
      number_missing: 'Saisissez le numéro de carte.',
      number_invalid: 'Ce numéro de carte n’est pas valide.',
      not_a_test_card:
        'Seules les cartes de test fonctionnent ici. Veuillez utiliser un numéro de carte de test.',
      expiry_missing: 'Saisissez la date d’expiration.',
      expiry_invalid: 'Saisissez le mois et l’année, par exemple 04 / 30.',
      expiry_past: 'Cette carte a expiré.',
      cvc_missing: 'Saisissez le code de sécurité.',
      cvc_invalid: 'Le code de sécurité comporte 3 ou 4 chiffres.',
      account_refused: 'Les paiements par carte ne sont pas disponibles pour le moment.',
      rail_unreachable: 'La connexion a été perdue. Rien n’a été débité ; veuillez réessayer.',
    },
  },
  it: {
    title: 'Dati della carta',
    number: 'Numero della carta',
    expiry: 'Data di scadenza',
    expiryHint: 'MM / AA',
    cvc: 'Codice di sicurezza',
    problems: {
      number_missing: 'Inserisca il numero della carta.',
      number_invalid: 'Questo numero di carta non è valido.',
      not_a_test_card: 'Qui funzionano solo le carte di prova. Usi un numero di carta di prova.',
      expiry_missing: 'Inserisca la data di scadenza.',
      expiry_invalid: 'Inserisca mese e anno, per esempio 04 / 30.',
      expiry_past: 'Questa carta è scaduta.',
      cvc_missing: 'Inserisca il codice di sicurezza.',
      cvc_invalid: 'Il codice di sicurezza ha 3 o 4 cifre.',
      account_refused: 'I pagamenti con carta non sono disponibili al momento.',
      rail_unreachable: 'La connessione si è interrotta. Non è stato addebitato nulla; riprovi.',
    },
  },
  nl: {
    title: 'Kaartgegevens',
    number: 'Kaartnummer',
    expiry: 'Vervaldatum',
    expiryHint: 'MM / JJ',
    cvc: 'Beveiligingscode',
    problems: {
      number_missing: 'Vul het kaartnummer in.',
      number_invalid: 'Dit kaartnummer is niet geldig.',
      not_a_test_card: 'Hier werken alleen testkaarten. Gebruik het nummer van een testkaart.',
      expiry_missing: 'Vul de vervaldatum in.',
      expiry_invalid: 'Vul maand en jaar in, bijvoorbeeld 04 / 30.',
      expiry_past: 'Deze kaart is verlopen.',
      cvc_missing: 'Vul de beveiligingscode in.',
      cvc_invalid: 'De beveiligingscode heeft 3 of 4 cijfers.',
      account_refused: 'Kaartbetalingen zijn op dit moment niet beschikbaar.',
      rail_unreachable: 'De verbinding is verbroken. Er is niets afgeschreven; probeer het opnieuw.',
    },
  },
  pl: {
    title: 'Dane karty',
    number: 'Numer karty',
    expiry: 'Data ważności',
    expiryHint: 'MM / RR',
    cvc: 'Kod CVC',
    problems: {
      number_missing: 'Proszę podać numer karty.',
      number_invalid: 'Ten numer karty jest nieprawidłowy.',
      not_a_test_card: 'Działają tu tylko karty testowe. Proszę użyć numeru karty testowej.',
      expiry_missing: 'Proszę podać datę ważności.',
      expiry_invalid: 'Proszę podać miesiąc i rok, na przykład 04 / 30.',
      expiry_past: 'Ta karta straciła ważność.',
      cvc_missing: 'Proszę podać kod CVC.',
      cvc_invalid: 'Kod CVC ma 3 lub 4 cyfry.',
      account_refused: 'Płatności kartą są teraz niedostępne.',
      rail_unreachable: 'Połączenie zostało przerwane. Nic nie zostało pobrane; proszę spróbować ponownie.',
    },
  },
  pt: {
    title: 'Dados do cartão',
    number: 'Número do cartão',
    expiry: 'Data de validade',
    expiryHint: 'MM / AA',
    cvc: 'Código de segurança',
    problems: {
      number_missing: 'Introduza o número do cartão.',
      number_invalid: 'Este número de cartão não é válido.',
      not_a_test_card: 'Aqui só funcionam cartões de teste. Use um número de cartão de teste.',
      expiry_missing: 'Introduza a data de validade.',
      expiry_invalid: 'Introduza o mês e o ano, por exemplo 04 / 30.',
      expiry_past: 'Este cartão expirou.',
      cvc_missing: 'Introduza o código de segurança.',
      cvc_invalid: 'O código de segurança tem 3 ou 4 algarismos.',
      account_refused: 'Os pagamentos com cartão não estão disponíveis de momento.',
      rail_unreachable: 'A ligação perdeu-se. Nada foi cobrado; tente novamente.',
    },
  },
};
