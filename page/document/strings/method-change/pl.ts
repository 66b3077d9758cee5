import type { MethodChangeStrings } from './shape.ts';

export const pl: MethodChangeStrings = {
  own: {
    heading: 'Zmiana metody płatności',
    currentCard: 'Obecna karta: {brand} z końcówką {last4}',
    save: 'Zapisz tę kartę',
    saveAndPay: 'Zapisz tę kartę i zapłać {amount}',
    termsNext:
      'Dziś nic nie zostanie pobrane. Od {date} kwota {price} będzie pobierana z nowej karty {every}, do chwili rezygnacji z subskrypcji.',
    termsDue:
      'Do zapłaty pozostaje {amount}. Kwota zostanie pobrana z nowej karty, gdy tylko bank ją potwierdzi, a od {date} {price} {every}.',
    termsEnding:
      'Dziś nic nie zostanie pobrane. Subskrypcja kończy się {date}; potem nic więcej nie zostanie pobrane.',
    termsDueEnding:
      'Do zapłaty pozostaje {amount}. Kwota zostanie pobrana z nowej karty, gdy tylko bank ją potwierdzi. Subskrypcja kończy się {date}; potem nic więcej nie zostanie pobrane.',
    termsPaused:
      'Dziś nic nie zostanie pobrane. Subskrypcja jest wstrzymana od {date}, do chwili wznowienia.',
    termsDuePaused:
      'Do zapłaty pozostaje {amount}. Kwota zostanie pobrana z nowej karty, gdy tylko bank ją potwierdzi. Potem subskrypcja jest wstrzymana, do chwili wznowienia.',
    changedAndDueBody:
      'Nowa karta jest zapisana. Zaległa kwota {amount} jest z niej teraz pobierana. {merchant} już o tym wie.',
    overTitle: 'Tego linku nie można już użyć',
    overBody:
      'Istnieje nowszy albo subskrypcja się zakończyła. Nic nie zostało zmienione. {merchant} pomoże w dalszych krokach.',
  },
  instead: {
    pageTitle: 'Metoda płatności w {merchant}',
    timeLeft: 'Pozostały czas:',
    minutesLeftSpoken: {
      one: 'Została jedna minuta.',
      few: 'Zostały {count} minuty.',
      many: 'Zostało {count} minut.',
      other: 'Zostało {count} minuty.',
    },
    formHeading: 'Nowa metoda płatności',
    emailHint: 'Na wiadomości o tej subskrypcji.',
    payingAs: 'Subskrypcja: {email}',
    methodLegend: 'Odtąd używać',
    cancelPlain: 'Zachowaj obecną kartę',
    cancelTitle: 'Zachować obecną kartę?',
    cancelBody: 'Nic się nie zmieni, a tej strony nie będzie już można użyć.',
    cancelConfirm: 'Zachowaj',
    cancelKeep: 'Zmieniam dalej',
    busySlowHint: 'Proszę nie zamykać tej strony.',
    processingTitle: 'Nowa karta jest sprawdzana',
    elsewhereTitle: 'Ta zmiana trwa w innej karcie przeglądarki',
    elsewhereBody: 'Proszę dokończyć ją tam. Ta strona pokaże wynik, gdy tylko będzie znany.',
    sentTitle: 'Z tej strony wysłano kartę',
    sentBody: 'Nie wiemy jeszcze, czy została zapisana. Sprawdzamy to, a wynik pojawi się na tej stronie.',
    challengeBody: 'Proszę potwierdzić kartę w banku. Nic nie zostanie przez to pobrane.',
    challengeLeaveBody: 'Ta próba zostanie porzucona. Potem można spróbować ponownie, także z inną kartą.',
    unknownTitle: 'Nie wiemy jeszcze, czy karta została zapisana',
    unknownBody:
      'Połączenie przerwało się w złym momencie. Nadal to sprawdzamy, a wynik pojawi się na tej stronie.',
    reconciliationBody:
      'Bank nie dał jednoznacznej odpowiedzi. Nadal to sprawdzamy; tę stronę można zamknąć i otworzyć później pod tym samym adresem. {merchant} też pozna wynik.',
    cancellingTitle: 'Obecna karta zostaje',
    trialTitle: 'Metoda płatności została zmieniona',
    trialBody: 'Odtąd opłaty będą pobierane z nowej karty. {merchant} już o tym wie.',
    expiredTitle: 'Czas na zmianę minął',
    expiredBody:
      'Nic nie zostało zmienione. Jeśli zmiana karty jest nadal potrzebna, nowy link wyśle {merchant}.',
    expiringBody: 'Upewniamy się, że nic więcej się nie zmieni.',
    exhaustedTitle: 'Nie udało się zapisać karty',
    exhaustedBody: 'Żadna z prób się nie powiodła i nic nie zostało zmienione. Nowy link wyśle {merchant}.',
    cancelledTitle: 'Nic nie zostało zmienione',
    cancelledBody: 'Obecna karta zostaje.',
    resolvedTitle: 'Nie udało się zapisać karty',
    resolvedBody: 'Sprawdzono to ręcznie: nic nie zostało zmienione. {merchant} pomoże w dalszych krokach.',
    notStartedTitle: 'Karta nie została zapisana',
    declinedTitle: 'Karta została odrzucona',
    notConfirmedTitle: 'Karta nie została potwierdzona',
  },
};
