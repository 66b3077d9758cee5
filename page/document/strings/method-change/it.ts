import type { MethodChangeStrings } from './shape.ts';

export const it: MethodChangeStrings = {
  own: {
    heading: 'Cambio del metodo di pagamento',
    currentCard: 'La sua carta attuale: {brand} che termina con {last4}',
    save: 'Salva questa carta',
    saveAndPay: 'Salva questa carta e paga {amount}',
    termsNext:
      'Oggi non viene addebitato nulla. In data {date} e poi {every} verranno addebitati sulla nuova carta {price}, fino alla disdetta dell’abbonamento.',
    termsDue:
      'Importo in sospeso: {amount}. Verrà addebitato sulla nuova carta appena la sua banca l’avrà confermata; in data {date} e poi {every} verranno addebitati {price}.',
    termsEnding:
      'Oggi non viene addebitato nulla. L’abbonamento termina in data {date}; dopo non viene addebitato più nulla.',
    termsDueEnding:
      'Importo in sospeso: {amount}. Verrà addebitato sulla nuova carta appena la sua banca l’avrà confermata. L’abbonamento termina in data {date}; dopo non viene addebitato più nulla.',
    termsPaused:
      'Oggi non viene addebitato nulla. L’abbonamento è sospeso dalla data {date}, fino alla ripresa.',
    termsDuePaused:
      'Importo in sospeso: {amount}. Verrà addebitato sulla nuova carta appena la sua banca l’avrà confermata. Poi l’abbonamento è sospeso, fino alla ripresa.',
    changedAndDueBody:
      'La nuova carta è salvata. L’importo in sospeso di {amount} viene addebitato adesso, e {merchant} ne è al corrente.',
    overTitle: 'Questo link non è più utilizzabile',
    overBody:
      'Ce n’è uno più recente oppure l’abbonamento è terminato. Non è stato cambiato nulla. {merchant} può aiutarla.',
  },
  instead: {
    pageTitle: 'Metodo di pagamento presso {merchant}',
    timeLeft: 'Tempo rimasto:',
    minutesLeftSpoken: { one: 'Resta un minuto.', other: 'Restano {count} minuti.' },
    formHeading: 'Nuovo metodo di pagamento',
    emailHint: 'Per i messaggi su questo abbonamento.',
    payingAs: 'Abbonamento di {email}',
    methodLegend: 'Da ora in poi con',
    cancelPlain: 'Mantieni la carta attuale',
    cancelTitle: 'Mantenere la carta attuale?',
    cancelBody: 'Non viene cambiato nulla e questa pagina non sarà più utilizzabile.',
    cancelConfirm: 'Mantienila',
    cancelKeep: 'Continua il cambio',
    busySlowHint: 'Lasci aperta questa pagina.',
    processingTitle: 'La sua nuova carta è in fase di verifica',
    elsewhereTitle: 'Il cambio è in corso in un’altra scheda',
    elsewhereBody: 'Lo concluda lì. Questa pagina mostrerà l’esito appena disponibile.',
    sentTitle: 'Da questa pagina è stata inviata una carta',
    sentBody: 'Non sappiamo ancora se sia stata salvata. Stiamo verificando e questa pagina glielo dirà.',
    challengeBody: 'Confermi la carta presso la sua banca. Così non viene addebitato nulla.',
    challengeLeaveBody: 'Questo tentativo viene abbandonato. Poi può riprovare, anche con un’altra carta.',
    unknownTitle: 'Non sappiamo ancora se la carta sia stata salvata',
    unknownBody:
      'La connessione si è interrotta nel momento sbagliato. Continuiamo a verificare e questa pagina glielo dirà.',
    reconciliationBody:
      'La sua banca non ha dato una risposta chiara. Continuiamo a verificare; può chiudere questa pagina e riaprirla più tardi allo stesso indirizzo. Anche {merchant} saprà l’esito.',
    cancellingTitle: 'La carta attuale resta valida',
    trialTitle: 'Il suo metodo di pagamento è stato cambiato',
    trialBody: 'Da ora in poi gli addebiti avvengono sulla nuova carta. {merchant} ne è al corrente.',
    expiredTitle: 'Il tempo per il cambio è scaduto',
    expiredBody:
      'Non è stato cambiato nulla. Chieda a {merchant} un nuovo link se desidera ancora cambiare la carta.',
    expiringBody: 'Ci assicuriamo che non venga più cambiato nulla.',
    exhaustedTitle: 'Non è stato possibile salvare la carta',
    exhaustedBody:
      'Nessun tentativo è riuscito e non è stato cambiato nulla. Chieda a {merchant} un nuovo link.',
    cancelledTitle: 'Non è stato cambiato nulla',
    cancelledBody: 'La sua carta attuale resta valida.',
    resolvedTitle: 'Non è stato possibile salvare la carta',
    resolvedBody:
      'È stato verificato a mano: non è stato cambiato nulla. {merchant} può aiutarla con i prossimi passi.',
    notStartedTitle: 'La carta non è stata salvata',
    declinedTitle: 'La carta è stata rifiutata',
    notConfirmedTitle: 'La carta non è stata confermata',
  },
};
