import type { Strings } from './shape.ts';

export const fr: Strings = {
  direction: 'ltr',
  pageTitle: 'Payer {merchant}',
  testMode: 'Mode test',
  testModeHint: 'Ceci est un test : aucun argent réel n’est débité.',
  notLoaded:
    'Cette page n’a pas pu être chargée. Rechargez-la ou ouvrez-la dans un autre navigateur où JavaScript est activé. Le chargement ne débite jamais rien.',
  reload: 'Recharger la page',
  language: 'Langue',

  headingPay: 'Paiement à {merchant}',
  headingSubscribe: 'Abonnement chez {merchant}',
  headingTrial: 'Essai gratuit : {product}',
  headingOrder: 'Votre commande',
  paidOn: 'payé le {date}',
  nothingCharged: 'rien n’a encore été débité',
  notCharged: 'non débité',
  dueToday: 'à payer aujourd’hui',
  taxIncluded: 'Dont TVA {rate} ({amount})',
  quantity: 'Quantité',
  net: 'Total HT',
  taxAt: 'TVA {rate}',
  total: 'Total TTC',
  every: {
    day: { one: 'chaque jour', other: 'tous les {count} jours' },
    week: { one: 'chaque semaine', other: 'toutes les {count} semaines' },
    month: { one: 'chaque mois', other: 'tous les {count} mois' },
    year: { one: 'chaque année', other: 'tous les {count} ans' },
  },
  termsRecurring:
    'Vous payez {now} aujourd’hui. À partir du {date}, {price} seront débités automatiquement {every}, jusqu’à la résiliation de l’abonnement.',
  termsTrial: {
    one: 'Un jour gratuit, rien n’est débité aujourd’hui. Le {date}, {price} seront débités automatiquement, puis {every}, jusqu’à la résiliation de l’abonnement.',
    other:
      '{count} jours gratuits, rien n’est débité aujourd’hui. Le {date}, {price} seront débités automatiquement, puis {every}, jusqu’à la résiliation de l’abonnement.',
  },
  termsPaid:
    'À partir du {date}, {price} seront débités automatiquement {every}, jusqu’à la résiliation de l’abonnement.',
  termsTrialBegun:
    'Le {date}, {price} seront débités automatiquement, puis {every}, jusqu’à la résiliation de l’abonnement.',
  termsOnce:
    'Vous payez {now} aujourd’hui et plus rien ensuite. L’abonnement prend fin de lui-même le {date}.',
  termsOncePaid: 'L’abonnement prend fin de lui-même le {date}.',
  termsCycles: {
    one: 'Il prend fin de lui-même après un seul paiement.',
    other: 'Il prend fin de lui-même après {count} paiements au total.',
  },
  trialUsed: 'L’essai gratuit a déjà été utilisé.',
  termsCoupon: {
    one: 'Le code réduit le premier paiement de {amount}.',
    other: 'Le code réduit de {amount} chacun des {count} premiers paiements.',
  },
  coupon: 'Code {code} : −\u2060{amount}',
  addCode: 'Ajouter un code',
  codeLabel: 'Code promo',
  applyCode: 'Appliquer',
  removeCode: 'Retirer le code',
  codeRefused: 'Ce code ne peut pas être utilisé pour cet achat.',
  codesUsedUp: 'Trop de codes ont été essayés. Il n’est plus possible d’en utiliser ici.',
  planPrice: '{price} {every}',
  planPriceAfterTrial: 'puis {price} {every}',

  timeLeft: 'Temps restant pour payer :',
  minutesLeftSpoken: {
    one: 'Il reste une minute pour payer.',
    other: 'Il reste {count} minutes pour payer.',
  },
  timeOver: 'Temps écoulé',

  formHeading: 'Données de paiement',
  emailLabel: 'Adresse e-mail',
  emailHint: 'Pour les messages au sujet de cet achat.',
  quantityInvalid: 'Choisissez une quantité de {min} à {max}.',
  emailMissing: 'Saisissez votre adresse e-mail.',
  emailInvalid: 'Saisissez une adresse e-mail, par exemple nom@example.com.',
  nameLabel: 'Nom sur la facture',
  nameHint:
    'La facture ne peut pas imprimer tous les caractères de « {name} ». Saisissez une graphie qu’elle peut imprimer, ou laissez ce champ vide : la facture affichera alors un code pour chacun de ces caractères.',
  nameUnprintable:
    'La facture ne peut pas non plus imprimer cette graphie. Essayez-en une autre, ou laissez ce champ vide.',
  payingAs: 'Vous payez en tant que {email}',
  methodLegend: 'Payer avec',
  methodCard: 'Carte',
  methodApplePay: 'Apple Pay',
  methodGooglePay: 'Google Pay',
  methodSimulated: 'simulé',
  walletHint: 'Appuyez sur le bouton ci-dessous pour confirmer avec votre portefeuille mobile.',
  cardFieldsTitle: 'Données de la carte',
  cardFieldsLoading: 'Chargement des champs de carte…',
  cardFieldsFailed:
    'Les champs de carte n’ont pas pu être chargés. Vérifiez votre connexion, puis rechargez-les.',
  cardFieldsRetry: 'Recharger',
  cardFieldsIncomplete: 'Vérifiez les données de la carte.',
  cardFieldsUnavailable:
    'Le paiement est impossible pour le moment. Rien n’a été débité. Veuillez réessayer plus tard.',
  pay: 'Payer {amount}',
  paySubscribe: 'S’abonner et payer {amount}',
  payTrial: 'Commander avec obligation de paiement',
  firstCharge: 'Premier débit : {price} le {date}, puis {every}',
  secureNote:
    'Les données de la carte sont envoyées chiffrées au prestataire de paiement. La boutique ne les voit jamais.',
  cancel: 'Annuler et revenir à la boutique',
  cancelPlain: 'Annuler ce paiement',
  cancelTitle: 'Annuler ce paiement ?',
  cancelBody: 'Rien ne sera débité, et cette page ne pourra plus servir à payer.',
  cancelConfirm: 'Annuler le paiement',
  cancelKeep: 'Continuer à payer',
  returnToShop: 'Revenir à la boutique',

  busyCard: 'Vérification de la carte…',
  busyProof: 'Vérification du navigateur…',
  busyProofHint: 'Cela prend quelques secondes.',
  busyWallet: 'Confirmez sur votre portefeuille…',
  busyBank: 'Contact avec votre banque…',
  busySlow: 'Cela prend plus de temps que d’habitude…',
  busySlowHint: 'Veuillez laisser cette page ouverte et ne pas payer une deuxième fois.',
  busyCancel: 'Annulation…',

  processingTitle: 'Votre paiement est en cours de traitement',
  processingBody: 'Nous interrogeons votre banque. Veuillez laisser cette page ouverte.',
  elsewhereTitle: 'Le paiement est en cours dans un autre onglet',
  elsewhereBody:
    'Veuillez le terminer là-bas. Cette page affichera le résultat dès qu’il sera connu. Ne payez pas une deuxième fois.',
  sentTitle: 'Un paiement a été envoyé depuis cette page',
  sentBody:
    'Nous ne savons pas encore s’il a abouti. Ne payez pas une deuxième fois : nous nous renseignons, et cette page vous le dira.',
  challengeTitle: 'Votre banque veut s’assurer que c’est bien vous',
  challengeBody: 'Confirmez le paiement auprès de votre banque. Rien n’est débité avant.',
  challengeOpen: 'Continuer vers votre banque',
  challengeFrameTitle: 'Confirmation par votre banque',
  challengeLoading: 'Ouverture de la page de votre banque…',
  challengeClose: 'Fermer',
  challengeLeaveTitle: 'Arrêter la confirmation ?',
  challengeLeaveBody:
    'Cette tentative est abandonnée et rien n’est débité. Vous pourrez ensuite payer de nouveau, avec une autre carte si vous le souhaitez.',
  challengeLeave: 'Arrêter',
  challengeStay: 'Continuer la confirmation',
  challengeCheckTitle: 'Vérification auprès de votre banque',
  challengeReturned: 'Votre banque a répondu. Vous pouvez fermer cette fenêtre si elle reste ouverte.',
  challengeReturnedLink: 'Retour à la page de paiement',
  challengeNone: 'Il n’y a plus rien à confirmer.',
  unknownTitle: 'Nous ne savons pas encore si vous avez payé',
  unknownBody:
    'La connexion a été coupée au mauvais moment. Ne payez pas une deuxième fois : nous continuons à nous renseigner, et cette page vous le dira.',
  reconciliationTitle: 'Nous cherchons à savoir ce qui s’est passé',
  reconciliationBody:
    'Votre banque n’a pas donné de réponse claire. Ne payez pas une deuxième fois. Nous continuons à nous renseigner ; vous pouvez fermer cette page et la rouvrir plus tard à la même adresse. {merchant} apprendra aussi le résultat.',
  cancellingTitle: 'Annulation du paiement',
  cancellingBody:
    'Nous demandons à votre banque de l’arrêter. Cette page vous dira si c’était encore possible.',
  offline: 'Vous êtes hors ligne. Cette page reprendra d’elle-même dès que la connexion sera rétablie.',
  reconnecting: 'La connexion est interrompue. Nouvelle tentative…',

  succeededTitle: 'Paiement réussi',
  succeededBody: 'Vous avez payé {amount} à {merchant}.',
  trialTitle: 'Votre essai gratuit a commencé',
  trialBody: 'Rien n’a été débité aujourd’hui. {merchant} en est informé.',
  confirmedTitle: 'Confirmé',
  confirmedBody: 'Revenez à l’appareil ou à la fenêtre où vous payez : le résultat s’y affiche.',
  alreadyPaidTitle: 'C’est déjà payé',
  alreadyPaidBody: 'Vous avez payé {amount} à {merchant}. Il n’y a plus rien à faire ici.',
  keepMethod: 'Utiliser aussi ce moyen de paiement pour les prochains paiements de l’abonnement.',
  paidElsewhereTitle: 'Cette facture est payée',
  paidElsewhereBody: 'La facture a été payée par un autre moyen. Il n’y a plus rien à faire ici.',
  linkOverTitle: 'Ce lien n’est plus utilisable',
  linkOverBody: 'La facture n’est plus à payer. Rien n’a été débité ici. {merchant} peut vous aider.',
  receiptProduct: 'Produit',
  receiptAmount: 'Montant',
  receiptDate: 'Date',
  receiptReference: 'Référence',
  receiptInvoice: 'Facture (PDF)',
  contact: 'Des questions ?',
  redirecting: 'Retour à la boutique…',
  expiredTitle: 'Le temps pour payer est écoulé',
  expiredBody:
    'Rien n’a été débité. Revenez chez {merchant} et recommencez si vous souhaitez toujours acheter.',
  expiringBody: 'Nous nous assurons que plus rien n’est débité.',
  exhaustedTitle: 'Le paiement n’a pas abouti',
  exhaustedBody:
    'Aucune tentative n’a réussi, et rien n’a été débité. Revenez chez {merchant} pour recommencer, avec une autre carte si vous le souhaitez.',
  cancelledTitle: 'Le paiement a été annulé',
  cancelledBody: 'Rien n’a été débité.',
  resolvedTitle: 'Le paiement n’a pas abouti',
  resolvedBody:
    'La vérification a été faite à la main : vous n’avez pas payé. {merchant} peut vous aider pour la suite.',
  notFoundTitle: 'Cette page de paiement n’existe pas',
  notFoundBody: 'Le lien est peut-être incomplet. Revenez à la boutique et réessayez. Rien n’a été débité.',
  unavailableTitle: 'Cette page ne peut pas être affichée pour le moment',
  unavailableBody: 'Veuillez la recharger dans un instant. Le chargement ne débite jamais rien.',
  loadAgain: 'Recharger',

  notStartedTitle: 'Votre paiement n’a pas commencé',
  notStartedBody:
    'Joindre votre banque prenait trop de temps, nous avons donc arrêté. Rien n’a été débité. Vous pouvez réessayer.',
  termsChangedTitle: 'Vérifiez le montant',
  termsChangedBody:
    'Le prix a changé depuis son affichage sur cette page. Rien n’a été débité. Vérifiez le montant, puis appuyez à nouveau sur le bouton.',
  subscribedTitle: 'Vous avez déjà cet abonnement',
  subscribedBody:
    'Votre abonnement est en cours : il n’a pas été souscrit une seconde fois. Rien n’a été débité.',
  tooManyTitle: 'C’était un peu rapide',
  tooManyBody: 'Veuillez attendre une minute, puis réessayer. Ce clic n’a rien débité.',
  railOutTitle: 'Les paiements par carte sont impossibles pour le moment',
  railOutBody: 'Veuillez réessayer dans quelques minutes. D’ici là, rien n’est débité.',
  declinedTitle: 'Le paiement a été refusé',
  notConfirmedTitle: 'Le paiement n’a pas été confirmé',
  attemptsLeft: { one: 'Il vous reste une tentative.', other: 'Il vous reste {count} tentatives.' },
  declines: {
    card_declined:
      'Votre banque n’a pas donné de raison. Rien n’a été débité. Utilisez une autre carte ou interrogez votre banque.',
    insufficient_funds:
      'Il n’y a pas assez d’argent sur cette carte. Rien n’a été débité. Utilisez une autre carte.',
    expired_card: 'Cette carte a expiré. Rien n’a été débité. Utilisez une autre carte.',
    incorrect_cvc: 'Le code de sécurité est incorrect. Rien n’a été débité. Vérifiez-le et réessayez.',
    incorrect_number: 'Le numéro de carte est incorrect. Rien n’a été débité. Vérifiez-le et réessayez.',
    lost_or_stolen_card:
      'Votre banque n’autorise pas les paiements avec cette carte. Rien n’a été débité. Utilisez une autre carte.',
    suspected_fraud:
      'Votre banque n’autorise pas ce paiement. Rien n’a été débité. Utilisez une autre carte ou interrogez votre banque.',
    authentication_failed:
      'Votre banque n’a pas pu confirmer que c’était vous. Rien n’a été débité. Réessayez ou utilisez une autre carte.',
    authentication_required:
      'Votre banque vous demande de confirmer le paiement. Rien n’a été débité. Réessayez et suivez ses étapes.',
    processing_error:
      'Votre banque n’a pas pu traiter le paiement. Rien n’a été débité. Réessayez dans un instant.',
    cancelled:
      'La confirmation a été arrêtée ou a pris trop de temps. Rien n’a été débité. Vous pouvez réessayer.',
  },
};
