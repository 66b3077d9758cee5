import type { MethodChangeStrings } from './shape.ts';

export const de: MethodChangeStrings = {
  own: {
    heading: 'Zahlungsmittel ändern',
    currentCard: 'Ihre bisherige Karte: {brand} mit der Endung {last4}',
    save: 'Diese Karte speichern',
    saveAndPay: 'Diese Karte speichern und {amount} zahlen',
    termsNext:
      'Heute wird nichts abgebucht. Ab dem {date} werden {every} {price} von der neuen Karte abgebucht, bis das Abo gekündigt wird.',
    termsDue:
      '{amount} sind noch offen. Sie werden von der neuen Karte abgebucht, sobald Ihre Bank sie bestätigt hat, und ab dem {date} {every} {price}.',
    termsEnding: 'Heute wird nichts abgebucht. Das Abo endet am {date}; danach wird nichts mehr abgebucht.',
    termsDueEnding:
      '{amount} sind noch offen. Sie werden von der neuen Karte abgebucht, sobald Ihre Bank sie bestätigt hat. Das Abo endet am {date}; danach wird nichts mehr abgebucht.',
    termsPaused: 'Heute wird nichts abgebucht. Das Abo pausiert ab dem {date}, bis es fortgesetzt wird.',
    termsDuePaused:
      '{amount} sind noch offen. Sie werden von der neuen Karte abgebucht, sobald Ihre Bank sie bestätigt hat. Danach pausiert das Abo, bis es fortgesetzt wird.',
    changedAndDueBody:
      'Die neue Karte ist gespeichert. Die noch offenen {amount} werden jetzt von ihr abgebucht, und {merchant} weiß Bescheid.',
    overTitle: 'Dieser Link gilt nicht mehr',
    overBody:
      'Es gibt einen neueren, oder das Abo ist beendet. Es wurde nichts geändert. {merchant} hilft Ihnen weiter.',
  },
  instead: {
    pageTitle: 'Zahlungsmittel bei {merchant}',
    timeLeft: 'Verbleibende Zeit:',
    minutesLeftSpoken: { one: 'Noch eine Minute.', other: 'Noch {count} Minuten.' },
    formHeading: 'Neues Zahlungsmittel',
    emailHint: 'Für Nachrichten zu diesem Abo.',
    payingAs: 'Abonniert als {email}',
    methodLegend: 'Ab jetzt bezahlen mit',
    cancelPlain: 'Bisherige Karte behalten',
    cancelTitle: 'Bisherige Karte behalten?',
    cancelBody: 'Es wird nichts geändert, und diese Seite gilt danach nicht mehr.',
    cancelConfirm: 'Behalten',
    cancelKeep: 'Weiter ändern',
    busySlowHint: 'Bitte lassen Sie diese Seite offen.',
    processingTitle: 'Ihre neue Karte wird geprüft',
    elsewhereTitle: 'Das geschieht gerade in einem anderen Tab',
    elsewhereBody: 'Bitte schließen Sie es dort ab. Diese Seite zeigt das Ergebnis, sobald es eines gibt.',
    sentTitle: 'Von dieser Seite wurde eine Karte abgeschickt',
    sentBody:
      'Wir wissen noch nicht, ob sie gespeichert wurde. Wir fragen nach, und diese Seite sagt es Ihnen.',
    challengeBody: 'Bestätigen Sie die Karte bei Ihrer Bank. Dadurch wird nichts abgebucht.',
    challengeLeaveBody:
      'Dieser Versuch wird aufgegeben. Danach können Sie es noch einmal versuchen, auch mit einer anderen Karte.',
    unknownTitle: 'Wir wissen noch nicht, ob die Karte gespeichert wurde',
    unknownBody:
      'Die Verbindung brach im falschen Moment ab. Wir fragen weiter nach, und diese Seite sagt es Ihnen.',
    reconciliationBody:
      'Ihre Bank hat keine klare Antwort gegeben. Wir fragen weiter nach; Sie dürfen diese Seite schließen und später unter derselben Adresse wieder öffnen. Auch {merchant} erfährt das Ergebnis.',
    cancellingTitle: 'Die bisherige Karte bleibt',
    trialTitle: 'Ihr Zahlungsmittel wurde geändert',
    trialBody: 'Von jetzt an wird die neue Karte belastet. {merchant} weiß Bescheid.',
    expiredTitle: 'Die Zeit dafür ist abgelaufen',
    expiredBody:
      'Es wurde nichts geändert. Bitten Sie {merchant} um einen neuen Link, wenn Sie die Karte noch ändern möchten.',
    expiringBody: 'Wir stellen sicher, dass nichts mehr geändert wird.',
    exhaustedTitle: 'Die Karte konnte nicht gespeichert werden',
    exhaustedBody:
      'Keiner der Versuche war erfolgreich, und es wurde nichts geändert. Bitten Sie {merchant} um einen neuen Link.',
    cancelledTitle: 'Es wurde nichts geändert',
    cancelledBody: 'Ihre bisherige Karte bleibt.',
    resolvedTitle: 'Die Karte konnte nicht gespeichert werden',
    resolvedBody: 'Das wurde von Hand geprüft: Es wurde nichts geändert. {merchant} hilft Ihnen weiter.',
    notStartedTitle: 'Die Karte wurde nicht gespeichert',
    declinedTitle: 'Die Karte wurde abgelehnt',
    notConfirmedTitle: 'Die Karte wurde nicht bestätigt',
  },
};
