import type { MethodChangeStrings } from './shape.ts';

export const fr: MethodChangeStrings = {
  own: {
    heading: 'Changer de moyen de paiement',
    currentCard: 'Votre carte actuelle : {brand} se terminant par {last4}',
    save: 'Enregistrer cette carte',
    saveAndPay: 'Enregistrer cette carte et payer {amount}',
    termsNext:
      'Rien n’est débité aujourd’hui. À partir du {date}, {price} seront débités de la nouvelle carte {every}, jusqu’à la résiliation de l’abonnement.',
    termsDue:
      '{amount} restent à payer. Ils seront débités de la nouvelle carte dès que votre banque l’aura confirmée, puis {price} {every} à partir du {date}.',
    termsEnding:
      'Rien n’est débité aujourd’hui. L’abonnement se termine le {date} ; plus rien ne sera débité ensuite.',
    termsDueEnding:
      '{amount} restent à payer. Ils seront débités de la nouvelle carte dès que votre banque l’aura confirmée. L’abonnement se termine le {date} ; plus rien ne sera débité ensuite.',
    termsPaused:
      'Rien n’est débité aujourd’hui. L’abonnement est suspendu à partir du {date}, jusqu’à sa reprise.',
    termsDuePaused:
      '{amount} restent à payer. Ils seront débités de la nouvelle carte dès que votre banque l’aura confirmée. L’abonnement est ensuite suspendu, jusqu’à sa reprise.',
    changedAndDueBody:
      'La nouvelle carte est enregistrée. Le solde de {amount} en est débité maintenant, et {merchant} en est informé.',
    overTitle: 'Ce lien ne peut plus être utilisé',
    overBody:
      'Il en existe un plus récent, ou l’abonnement a pris fin. Rien n’a été modifié. {merchant} peut vous aider.',
  },
  instead: {
    pageTitle: 'Moyen de paiement chez {merchant}',
    timeLeft: 'Temps restant :',
    minutesLeftSpoken: { one: 'Il reste une minute.', other: 'Il reste {count} minutes.' },
    formHeading: 'Nouveau moyen de paiement',
    emailHint: 'Pour les messages au sujet de cet abonnement.',
    payingAs: 'Abonnement au nom de {email}',
    methodLegend: 'Régler désormais avec',
    cancelPlain: 'Garder la carte actuelle',
    cancelTitle: 'Garder la carte actuelle ?',
    cancelBody: 'Rien n’est modifié, et cette page ne pourra plus être utilisée.',
    cancelConfirm: 'La garder',
    cancelKeep: 'Continuer le changement',
    busySlowHint: 'Veuillez laisser cette page ouverte.',
    processingTitle: 'Votre nouvelle carte est en cours de vérification',
    elsewhereTitle: 'Le changement est en cours dans un autre onglet',
    elsewhereBody: 'Veuillez le terminer là-bas. Cette page affichera le résultat dès qu’il sera connu.',
    sentTitle: 'Une carte a été envoyée depuis cette page',
    sentBody:
      'Nous ne savons pas encore si elle a été enregistrée. Nous nous renseignons, et cette page vous le dira.',
    challengeBody: 'Confirmez la carte auprès de votre banque. Cela ne débite rien.',
    challengeLeaveBody:
      'Cette tentative est abandonnée. Vous pourrez ensuite réessayer, avec une autre carte si vous le souhaitez.',
    unknownTitle: 'Nous ne savons pas encore si la carte a été enregistrée',
    unknownBody:
      'La connexion a été coupée au mauvais moment. Nous continuons à nous renseigner, et cette page vous le dira.',
    reconciliationBody:
      'Votre banque n’a pas donné de réponse claire. Nous continuons à nous renseigner ; vous pouvez fermer cette page et la rouvrir plus tard à la même adresse. {merchant} apprendra aussi le résultat.',
    cancellingTitle: 'La carte actuelle est conservée',
    trialTitle: 'Votre moyen de paiement a été changé',
    trialBody: 'Désormais, la nouvelle carte sera débitée. {merchant} en est informé.',
    expiredTitle: 'Le temps prévu est écoulé',
    expiredBody:
      'Rien n’a été modifié. Demandez un nouveau lien à {merchant} si vous souhaitez toujours changer de carte.',
    expiringBody: 'Nous nous assurons que plus rien n’est modifié.',
    exhaustedTitle: 'La carte n’a pas pu être enregistrée',
    exhaustedBody:
      'Aucune tentative n’a réussi, et rien n’a été modifié. Demandez un nouveau lien à {merchant}.',
    cancelledTitle: 'Rien n’a été modifié',
    cancelledBody: 'Votre carte actuelle est conservée.',
    resolvedTitle: 'La carte n’a pas pu être enregistrée',
    resolvedBody:
      'La vérification a été faite à la main : rien n’a été modifié. {merchant} peut vous aider pour la suite.',
    notStartedTitle: 'La carte n’a pas été enregistrée',
    declinedTitle: 'La carte a été refusée',
    notConfirmedTitle: 'La carte n’a pas été confirmée',
  },
};
