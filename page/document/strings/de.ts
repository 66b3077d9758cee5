import type { Strings } from './shape.ts';

export const de: Strings = {
  direction: 'ltr',
  pageTitle: '{merchant} bezahlen',
  testMode: 'Testmodus',
  testModeHint: 'Dies ist ein Test: Es wird kein echtes Geld abgebucht.',
  notLoaded:
    'Diese Seite konnte nicht geladen werden. Laden Sie sie neu, oder öffnen Sie sie in einem anderen Browser, in dem JavaScript eingeschaltet ist. Durch das Laden wird nie etwas abgebucht.',
  reload: 'Seite neu laden',
  language: 'Sprache',

  headingPay: 'Zahlung an {merchant}',
  headingSubscribe: 'Abo bei {merchant}',
  headingTrial: '{product} kostenlos testen',
  headingOrder: 'Ihre Bestellung',
  paidOn: 'bezahlt am {date}',
  nothingCharged: 'noch nichts abgebucht',
  notCharged: 'nicht abgebucht',
  dueToday: 'heute fällig',
  taxIncluded: 'Enthält {rate} MwSt. ({amount})',
  quantity: 'Menge',
  net: 'Netto',
  taxAt: 'MwSt. {rate}',
  total: 'Gesamt',
  every: {
    day: { one: 'jeden Tag', other: 'alle {count} Tage' },
    week: { one: 'jede Woche', other: 'alle {count} Wochen' },
    month: { one: 'jeden Monat', other: 'alle {count} Monate' },
    year: { one: 'jedes Jahr', other: 'alle {count} Jahre' },
  },
  termsRecurring:
    'Sie zahlen heute {now}. Ab dem {date} werden {every} automatisch {price} abgebucht, bis das Abo gekündigt wird.',
  termsTrial: {
    one: 'Ein Tag kostenlos, heute wird nichts abgebucht. Am {date} werden automatisch {price} abgebucht und danach {every}, bis das Abo gekündigt wird.',
    other:
      '{count} Tage kostenlos, heute wird nichts abgebucht. Am {date} werden automatisch {price} abgebucht und danach {every}, bis das Abo gekündigt wird.',
  },
  termsPaid: 'Ab {date} werden {every} automatisch {price} abgebucht, bis das Abo gekündigt wird.',
  termsTrialBegun:
    'Am {date} werden automatisch {price} abgebucht und danach {every}, bis das Abo gekündigt wird.',
  termsOnce: 'Sie zahlen heute {now} und danach nichts mehr. Das Abo endet automatisch am {date}.',
  termsOncePaid: 'Das Abo endet automatisch am {date}.',
  termsCycles: {
    one: 'Es endet automatisch nach einer Zahlung.',
    other: 'Es endet automatisch nach insgesamt {count} Zahlungen.',
  },
  trialUsed: 'Der kostenlose Probezeitraum wurde bereits genutzt.',
  termsCoupon: {
    one: 'Der Code senkt die erste Zahlung um {amount}.',
    other: 'Der Code senkt die ersten {count} Zahlungen um je {amount}.',
  },
  coupon: 'Gutscheincode {code}: −\u2060{amount}',
  addCode: 'Gutscheincode eingeben',
  codeLabel: 'Gutscheincode',
  applyCode: 'Einlösen',
  removeCode: 'Gutscheincode entfernen',
  codeRefused: 'Dieser Gutscheincode gilt für diesen Kauf nicht.',
  codesUsedUp: 'Es wurden zu viele Codes versucht. Hier kann keiner mehr eingelöst werden.',
  planPrice: '{price} {every}',
  planPriceAfterTrial: 'danach {price} {every}',

  timeLeft: 'Zeit zum Bezahlen:',
  minutesLeftSpoken: { one: 'Noch eine Minute zum Bezahlen.', other: 'Noch {count} Minuten zum Bezahlen.' },
  timeOver: 'Zeit abgelaufen',

  formHeading: 'Zahlungsdaten',
  emailLabel: 'E-Mail-Adresse',
  emailHint: 'Für Nachrichten zu diesem Kauf.',
  quantityInvalid: 'Wählen Sie eine Menge von {min} bis {max}.',
  emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein.',
  emailInvalid: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  nameLabel: 'Name auf der Rechnung',
  nameHint:
    'Die Rechnung kann nicht alle Zeichen von „{name}“ drucken. Geben Sie eine Schreibweise ein, die sie drucken kann, oder lassen Sie das Feld leer: Dann steht auf der Rechnung für jedes dieser Zeichen ein Code.',
  nameUnprintable:
    'Auch diese Schreibweise kann die Rechnung nicht drucken. Versuchen Sie eine andere, oder lassen Sie das Feld leer.',
  payingAs: 'Sie zahlen als {email}',
  methodLegend: 'Bezahlen mit',
  methodCard: 'Karte',
  methodApplePay: 'Apple Pay',
  methodGooglePay: 'Google Pay',
  methodSimulated: 'simuliert',
  walletHint: 'Bestätigen Sie mit Ihrer Wallet über die Schaltfläche unten.',
  cardFieldsTitle: 'Kartendaten',
  cardFieldsLoading: 'Kartenfelder werden geladen…',
  cardFieldsFailed:
    'Die Kartenfelder konnten nicht geladen werden. Prüfen Sie Ihre Verbindung und laden Sie die Felder neu.',
  cardFieldsRetry: 'Neu laden',
  cardFieldsIncomplete: 'Prüfen Sie die Kartendaten.',
  cardFieldsUnavailable:
    'Bezahlen ist gerade nicht möglich. Es wurde nichts abgebucht. Bitte versuchen Sie es später noch einmal.',
  pay: '{amount} bezahlen',
  paySubscribe: 'Abonnieren und {amount} bezahlen',
  payTrial: 'Zahlungspflichtig bestellen',
  firstCharge: 'Erste Abbuchung: {price} am {date}, danach {every}',
  secureNote: 'Kartendaten gehen verschlüsselt an den Zahlungsdienst. Der Shop sieht sie nie.',
  cancel: 'Abbrechen und zurück zum Shop',
  cancelPlain: 'Zahlung abbrechen',
  cancelTitle: 'Zahlung abbrechen?',
  cancelBody: 'Es wird nichts abgebucht, und auf dieser Seite kann nicht mehr bezahlt werden.',
  cancelConfirm: 'Zahlung abbrechen',
  cancelKeep: 'Weiter bezahlen',
  returnToShop: 'Zurück zum Shop',

  busyCard: 'Ihre Kartendaten werden geprüft…',
  busyProof: 'Ihr Browser wird geprüft…',
  busyProofHint: 'Das dauert einige Sekunden.',
  busyWallet: 'Bitte mit Ihrer Wallet bestätigen…',
  busyBank: 'Ihre Bank wird gefragt…',
  busySlow: 'Das dauert länger als sonst…',
  busySlowHint: 'Bitte lassen Sie diese Seite offen und zahlen Sie nicht noch einmal.',
  busyCancel: 'Wird abgebrochen…',

  processingTitle: 'Ihre Zahlung wird bearbeitet',
  processingBody: 'Ihre Bank wird gefragt. Bitte lassen Sie diese Seite offen.',
  elsewhereTitle: 'Hierfür wird gerade in einem anderen Tab bezahlt',
  elsewhereBody:
    'Bitte schließen Sie die Zahlung dort ab. Diese Seite zeigt das Ergebnis, sobald es eines gibt. Zahlen Sie nicht noch einmal.',
  sentTitle: 'Von dieser Seite wurde eine Zahlung abgeschickt',
  sentBody:
    'Wir wissen noch nicht, ob sie angekommen ist. Zahlen Sie nicht noch einmal: Wir fragen nach, und diese Seite sagt es Ihnen.',
  challengeTitle: 'Ihre Bank möchte sicher sein, dass Sie es sind',
  challengeBody: 'Bestätigen Sie die Zahlung bei Ihrer Bank. Vorher wird nichts abgebucht.',
  challengeOpen: 'Weiter zu Ihrer Bank',
  challengeFrameTitle: 'Bestätigung durch Ihre Bank',
  challengeLoading: 'Die Seite Ihrer Bank wird geöffnet…',
  challengeClose: 'Schließen',
  challengeLeaveTitle: 'Bestätigung beenden?',
  challengeLeaveBody:
    'Dieser Versuch wird aufgegeben, und dafür wird nichts abgebucht. Danach können Sie noch einmal bezahlen, auch mit einer anderen Karte.',
  challengeLeave: 'Beenden',
  challengeStay: 'Weiter bestätigen',
  challengeCheckTitle: 'Ihre Bank wird gefragt',
  challengeReturned: 'Ihre Bank hat geantwortet. Sie können dieses Fenster schließen, falls es offen bleibt.',
  challengeReturnedLink: 'Zurück zur Zahlungsseite',
  challengeNone: 'Es gibt nichts mehr zu bestätigen.',
  unknownTitle: 'Wir wissen noch nicht, ob Sie bezahlt haben',
  unknownBody:
    'Die Verbindung brach im falschen Moment ab. Zahlen Sie nicht noch einmal: Wir fragen weiter nach, und diese Seite sagt es Ihnen.',
  reconciliationTitle: 'Wir finden heraus, was geschehen ist',
  reconciliationBody:
    'Ihre Bank hat keine klare Antwort gegeben. Zahlen Sie nicht noch einmal. Wir fragen weiter nach; Sie dürfen diese Seite schließen und später unter derselben Adresse wieder öffnen. Auch {merchant} erfährt das Ergebnis.',
  cancellingTitle: 'Die Zahlung wird abgebrochen',
  cancellingBody: 'Wir bitten Ihre Bank, sie anzuhalten. Diese Seite sagt Ihnen, ob das rechtzeitig war.',
  offline: 'Sie sind offline. Sobald die Verbindung wieder da ist, geht es hier von selbst weiter.',
  reconnecting: 'Die Verbindung ist unterbrochen. Neuer Versuch…',

  succeededTitle: 'Zahlung erfolgreich',
  succeededBody: 'Sie haben {amount} an {merchant} bezahlt.',
  trialTitle: 'Ihr kostenloser Test hat begonnen',
  trialBody: 'Heute wurde nichts abgebucht. {merchant} weiß Bescheid.',
  confirmedTitle: 'Bestätigt',
  confirmedBody: 'Gehen Sie zurück zu dem Gerät oder Fenster, in dem Sie bezahlen: Dort steht das Ergebnis.',
  alreadyPaidTitle: 'Das ist schon bezahlt',
  alreadyPaidBody: 'Sie haben {amount} an {merchant} bezahlt. Hier gibt es nichts mehr zu tun.',
  keepMethod: 'Dieses Zahlungsmittel auch für die nächsten Zahlungen des Abonnements verwenden.',
  paidElsewhereTitle: 'Diese Rechnung ist bezahlt',
  paidElsewhereBody: 'Die Rechnung wurde auf anderem Weg bezahlt. Hier ist nichts mehr zu tun.',
  linkOverTitle: 'Dieser Link ist nicht mehr gültig',
  linkOverBody:
    'Die Rechnung ist nicht mehr offen. Hier wurde nichts abgebucht. {merchant} kann Ihnen helfen.',
  receiptProduct: 'Produkt',
  receiptAmount: 'Betrag',
  receiptDate: 'Datum',
  receiptReference: 'Referenz',
  receiptInvoice: 'Rechnung (PDF)',
  contact: 'Fragen?',
  redirecting: 'Sie werden zum Shop weitergeleitet…',
  expiredTitle: 'Die Zeit zum Bezahlen ist abgelaufen',
  expiredBody:
    'Es wurde nichts abgebucht. Gehen Sie zurück zu {merchant} und beginnen Sie neu, wenn Sie noch kaufen möchten.',
  expiringBody: 'Wir stellen sicher, dass nichts mehr abgebucht wird.',
  exhaustedTitle: 'Die Zahlung hat nicht geklappt',
  exhaustedBody:
    'Keiner der Versuche war erfolgreich, und es wurde nichts abgebucht. Bei {merchant} können Sie neu beginnen, auch mit einer anderen Karte.',
  cancelledTitle: 'Die Zahlung wurde abgebrochen',
  cancelledBody: 'Es wurde nichts abgebucht.',
  resolvedTitle: 'Die Zahlung hat nicht geklappt',
  resolvedBody: 'Das wurde von Hand geprüft: Sie haben nicht bezahlt. {merchant} hilft Ihnen weiter.',
  notFoundTitle: 'Diese Zahlungsseite gibt es nicht',
  notFoundBody:
    'Der Link ist vielleicht unvollständig. Gehen Sie zurück zum Shop und versuchen Sie es noch einmal. Es wurde nichts abgebucht.',
  unavailableTitle: 'Diese Seite lässt sich gerade nicht anzeigen',
  unavailableBody: 'Bitte laden Sie sie gleich noch einmal. Durch das Laden wird nie etwas abgebucht.',
  loadAgain: 'Neu laden',

  notStartedTitle: 'Ihre Zahlung wurde nicht begonnen',
  notStartedBody:
    'Es dauerte zu lange, Ihre Bank zu erreichen, deshalb haben wir angehalten. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
  termsChangedTitle: 'Bitte prüfen Sie den Betrag',
  termsChangedBody:
    'Der Preis hat sich geändert, seit diese Seite ihn angezeigt hat. Es wurde nichts abgebucht. Prüfen Sie den Betrag und klicken Sie dann noch einmal.',
  subscribedTitle: 'Sie haben dieses Abo bereits',
  subscribedBody:
    'Ihr Abo läuft bereits, deshalb wurde es kein zweites Mal abgeschlossen. Es wurde nichts abgebucht.',
  tooManyTitle: 'Das ging etwas schnell',
  tooManyBody:
    'Bitte warten Sie eine Minute und versuchen Sie es noch einmal. Dieser Klick hat nichts abgebucht.',
  railOutTitle: 'Kartenzahlungen sind gerade nicht möglich',
  railOutBody: 'Bitte versuchen Sie es in einigen Minuten noch einmal. Bis dahin wird nichts abgebucht.',
  declinedTitle: 'Die Zahlung wurde abgelehnt',
  notConfirmedTitle: 'Die Zahlung wurde nicht bestätigt',
  attemptsLeft: { one: 'Sie haben noch einen Versuch.', other: 'Sie haben noch {count} Versuche.' },
  declines: {
    card_declined:
      'Ihre Bank nannte keinen Grund. Es wurde nichts abgebucht. Nehmen Sie eine andere Karte oder fragen Sie Ihre Bank.',
    insufficient_funds:
      'Auf dieser Karte ist nicht genug Geld. Es wurde nichts abgebucht. Nehmen Sie eine andere Karte.',
    expired_card: 'Diese Karte ist abgelaufen. Es wurde nichts abgebucht. Nehmen Sie eine andere Karte.',
    incorrect_cvc:
      'Die Prüfziffer ist falsch. Es wurde nichts abgebucht. Prüfen Sie sie und versuchen Sie es noch einmal.',
    incorrect_number:
      'Die Kartennummer ist falsch. Es wurde nichts abgebucht. Prüfen Sie sie und versuchen Sie es noch einmal.',
    lost_or_stolen_card:
      'Ihre Bank erlaubt mit dieser Karte keine Zahlungen. Es wurde nichts abgebucht. Nehmen Sie eine andere Karte.',
    suspected_fraud:
      'Ihre Bank erlaubt diese Zahlung nicht. Es wurde nichts abgebucht. Nehmen Sie eine andere Karte oder fragen Sie Ihre Bank.',
    authentication_failed:
      'Ihre Bank konnte nicht bestätigen, dass Sie es waren. Es wurde nichts abgebucht. Versuchen Sie es noch einmal oder nehmen Sie eine andere Karte.',
    authentication_required:
      'Ihre Bank möchte, dass Sie die Zahlung bestätigen. Es wurde nichts abgebucht. Versuchen Sie es noch einmal und folgen Sie ihren Schritten.',
    processing_error:
      'Ihre Bank konnte die Zahlung nicht bearbeiten. Es wurde nichts abgebucht. Versuchen Sie es gleich noch einmal.',
    cancelled:
      'Die Bestätigung wurde beendet oder dauerte zu lange. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
  },
};
