import type { MethodChangeStrings } from './shape.ts';

export const pt: MethodChangeStrings = {
  own: {
    heading: 'Alterar o meio de pagamento',
    currentCard: 'O seu cartão atual: {brand} terminado em {last4}',
    save: 'Guardar este cartão',
    saveAndPay: 'Guardar este cartão e pagar {amount}',
    termsNext:
      'Hoje nada é cobrado. A partir de {date} serão cobrados {price} {every} no novo cartão, até a subscrição ser cancelada.',
    termsDue:
      'Estão em dívida {amount}. Serão cobrados no novo cartão assim que o seu banco o confirmar, e {price} {every} a partir de {date}.',
    termsEnding: 'Hoje nada é cobrado. A subscrição termina em {date} e não volta a ser cobrada.',
    termsDueEnding:
      'Estão em dívida {amount}. Serão cobrados no novo cartão assim que o seu banco o confirmar. A subscrição termina em {date} e não volta a ser cobrada.',
    termsPaused: 'Hoje nada é cobrado. A subscrição fica em pausa a partir de {date}, até ser retomada.',
    termsDuePaused:
      'Estão em dívida {amount}. Serão cobrados no novo cartão assim que o seu banco o confirmar. Depois a subscrição fica em pausa, até ser retomada.',
    changedAndDueBody:
      'O novo cartão está guardado. O montante em dívida de {amount} é agora cobrado nele e {merchant} já foi informado.',
    overTitle: 'Esta ligação já não pode ser usada',
    overBody: 'Existe uma mais recente ou a subscrição terminou. Nada foi alterado. {merchant} pode ajudar.',
  },
  instead: {
    pageTitle: 'Meio de pagamento em {merchant}',
    timeLeft: 'Tempo restante:',
    minutesLeftSpoken: { one: 'Falta um minuto.', other: 'Faltam {count} minutos.' },
    formHeading: 'Novo meio de pagamento',
    emailHint: 'Para mensagens sobre esta subscrição.',
    payingAs: 'Subscrição de {email}',
    methodLegend: 'Usar a partir de agora',
    cancelPlain: 'Manter o cartão atual',
    cancelTitle: 'Manter o cartão atual?',
    cancelBody: 'Nada é alterado e esta página deixa de poder ser usada.',
    cancelConfirm: 'Manter',
    cancelKeep: 'Continuar a alterar',
    busySlowHint: 'Deixe esta página aberta.',
    processingTitle: 'O seu novo cartão está a ser verificado',
    elsewhereTitle: 'Isto está a decorrer noutro separador',
    elsewhereBody: 'Conclua-o aí. Esta página mostra o resultado assim que existir.',
    sentTitle: 'Foi enviado um cartão a partir desta página',
    sentBody: 'Ainda não sabemos se foi guardado. Estamos a averiguar e esta página dir-lhe-á.',
    challengeBody: 'Confirme o cartão junto do seu banco. Isso não cobra nada.',
    challengeLeaveBody: 'Esta tentativa é abandonada. Depois pode tentar novamente, também com outro cartão.',
    unknownTitle: 'Ainda não sabemos se o cartão foi guardado',
    unknownBody: 'A ligação caiu no momento errado. Continuamos a averiguar e esta página dir-lhe-á.',
    reconciliationBody:
      'O seu banco não deu uma resposta clara. Continuamos a averiguar; pode fechar esta página e abri-la mais tarde no mesmo endereço. {merchant} também saberá o resultado.',
    cancellingTitle: 'O cartão atual mantém-se',
    trialTitle: 'O seu meio de pagamento foi alterado',
    trialBody: 'A partir de agora a cobrança é feita no novo cartão. {merchant} já foi informado.',
    expiredTitle: 'O tempo para isto terminou',
    expiredBody: 'Nada foi alterado. Peça a {merchant} uma nova ligação se ainda quiser alterar o cartão.',
    expiringBody: 'Estamos a garantir que nada mais é alterado.',
    exhaustedTitle: 'Não foi possível guardar o cartão',
    exhaustedBody: 'Nenhuma tentativa teve êxito e nada foi alterado. Peça a {merchant} uma nova ligação.',
    cancelledTitle: 'Nada foi alterado',
    cancelledBody: 'O seu cartão atual mantém-se.',
    resolvedTitle: 'Não foi possível guardar o cartão',
    resolvedBody:
      'Foi verificado manualmente: nada foi alterado. {merchant} pode ajudar com os próximos passos.',
    notStartedTitle: 'O cartão não foi guardado',
    declinedTitle: 'O cartão foi recusado',
    notConfirmedTitle: 'O cartão não foi confirmado',
  },
};
