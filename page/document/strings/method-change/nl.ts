import type { MethodChangeStrings } from './shape.ts';

export const nl: MethodChangeStrings = {
  own: {
    heading: 'Betaalmiddel wijzigen',
    currentCard: 'Uw huidige kaart: {brand} eindigend op {last4}',
    save: 'Deze kaart opslaan',
    saveAndPay: 'Deze kaart opslaan en {amount} betalen',
    termsNext:
      'Vandaag wordt niets afgeschreven. Vanaf {date} wordt {every} {price} van de nieuwe kaart afgeschreven, totdat het abonnement wordt opgezegd.',
    termsDue:
      'Er staat nog {amount} open. Dit bedrag wordt van de nieuwe kaart afgeschreven zodra uw bank de kaart heeft bevestigd, en vanaf {date} {every} {price}.',
    termsEnding:
      'Vandaag wordt niets afgeschreven. Het abonnement eindigt op {date}; daarna wordt niets meer afgeschreven.',
    termsDueEnding:
      'Er staat nog {amount} open. Dit bedrag wordt van de nieuwe kaart afgeschreven zodra uw bank de kaart heeft bevestigd. Het abonnement eindigt op {date}; daarna wordt niets meer afgeschreven.',
    termsPaused:
      'Vandaag wordt niets afgeschreven. Het abonnement is vanaf {date} gepauzeerd, totdat het wordt hervat.',
    termsDuePaused:
      'Er staat nog {amount} open. Dit bedrag wordt van de nieuwe kaart afgeschreven zodra uw bank de kaart heeft bevestigd. Daarna is het abonnement gepauzeerd, totdat het wordt hervat.',
    changedAndDueBody:
      'De nieuwe kaart is opgeslagen. Het openstaande bedrag van {amount} wordt er nu van afgeschreven en {merchant} is op de hoogte.',
    overTitle: 'Deze link kan niet meer worden gebruikt',
    overBody:
      'Er is een nieuwere, of het abonnement is beëindigd. Er is niets gewijzigd. {merchant} helpt u verder.',
  },
  instead: {
    pageTitle: 'Betaalmiddel bij {merchant}',
    timeLeft: 'Resterende tijd:',
    minutesLeftSpoken: { one: 'Nog één minuut.', other: 'Nog {count} minuten.' },
    formHeading: 'Nieuw betaalmiddel',
    emailHint: 'Voor berichten over dit abonnement.',
    payingAs: 'Geabonneerd als {email}',
    methodLegend: 'Voortaan met',
    cancelPlain: 'Huidige kaart behouden',
    cancelTitle: 'Huidige kaart behouden?',
    cancelBody: 'Er wordt niets gewijzigd en deze pagina kan niet meer worden gebruikt.',
    cancelConfirm: 'Behouden',
    cancelKeep: 'Verder wijzigen',
    busySlowHint: 'Laat deze pagina open.',
    processingTitle: 'Uw nieuwe kaart wordt gecontroleerd',
    elsewhereTitle: 'Dit gebeurt nu in een ander tabblad',
    elsewhereBody: 'Rond het daar af. Deze pagina toont het resultaat zodra het er is.',
    sentTitle: 'Vanaf deze pagina is een kaart verstuurd',
    sentBody: 'We weten nog niet of ze is opgeslagen. We vragen het na en deze pagina laat het u weten.',
    challengeBody: 'Bevestig de kaart bij uw bank. Daarmee wordt niets afgeschreven.',
    challengeLeaveBody:
      'Deze poging wordt opgegeven. Daarna kunt u het opnieuw proberen, ook met een andere kaart.',
    unknownTitle: 'We weten nog niet of de kaart is opgeslagen',
    unknownBody:
      'De verbinding viel op een slecht moment weg. We blijven het navragen en deze pagina laat het u weten.',
    reconciliationBody:
      'Uw bank heeft geen duidelijk antwoord gegeven. We blijven het navragen; u mag deze pagina sluiten en later op hetzelfde adres weer openen. Ook {merchant} krijgt het resultaat.',
    cancellingTitle: 'De huidige kaart blijft',
    trialTitle: 'Uw betaalmiddel is gewijzigd',
    trialBody: 'Vanaf nu wordt van de nieuwe kaart afgeschreven. {merchant} is op de hoogte.',
    expiredTitle: 'De tijd hiervoor is om',
    expiredBody:
      'Er is niets gewijzigd. Vraag {merchant} om een nieuwe link als u de kaart nog wilt wijzigen.',
    expiringBody: 'We zorgen ervoor dat er niets meer wordt gewijzigd.',
    exhaustedTitle: 'De kaart kon niet worden opgeslagen',
    exhaustedBody:
      'Geen van de pogingen is gelukt en er is niets gewijzigd. Vraag {merchant} om een nieuwe link.',
    cancelledTitle: 'Er is niets gewijzigd',
    cancelledBody: 'Uw huidige kaart blijft.',
    resolvedTitle: 'De kaart kon niet worden opgeslagen',
    resolvedBody: 'Dit is handmatig nagegaan: er is niets gewijzigd. {merchant} helpt u verder.',
    notStartedTitle: 'De kaart is niet opgeslagen',
    declinedTitle: 'De kaart is geweigerd',
    notConfirmedTitle: 'De kaart is niet bevestigd',
  },
};
