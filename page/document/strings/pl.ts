import type { Strings } from './shape.ts';

export const pl: Strings = {
  direction: 'ltr',
  pageTitle: 'Płatność – {merchant}',
  testMode: 'Tryb testowy',
  testModeHint: 'To jest test: nie są pobierane prawdziwe pieniądze.',
  notLoaded:
    'Nie udało się wczytać tej strony. Proszę wczytać ją ponownie lub otworzyć w innej przeglądarce z włączoną obsługą JavaScriptu. Samo wczytanie nigdy nie powoduje pobrania środków.',
  reload: 'Wczytaj stronę ponownie',
  language: 'Język',

  headingPay: 'Płatność na rzecz {merchant}',
  headingSubscribe: 'Subskrypcja w {merchant}',
  headingTrial: '{product} – bezpłatny okres próbny',
  headingOrder: 'Zamówienie',
  paidOn: 'zapłacono {date}',
  nothingCharged: 'jeszcze nic nie pobrano',
  notCharged: 'nie pobrano',
  dueToday: 'do zapłaty dziś',
  taxIncluded: 'Zawiera {rate} VAT ({amount})',
  quantity: 'Ilość',
  net: 'Netto',
  taxAt: 'VAT {rate}',
  total: 'Razem',
  every: {
    day: {
      one: 'codziennie',
      few: 'co {count} dni',
      many: 'co {count} dni',
      other: 'co {count} dnia',
    },
    week: {
      one: 'co tydzień',
      few: 'co {count} tygodnie',
      many: 'co {count} tygodni',
      other: 'co {count} tygodnia',
    },
    month: {
      one: 'co miesiąc',
      few: 'co {count} miesiące',
      many: 'co {count} miesięcy',
      other: 'co {count} miesiąca',
    },
    year: { one: 'co rok', few: 'co {count} lata', many: 'co {count} lat', other: 'co {count} roku' },
  },
  termsRecurring:
    'Dziś do zapłaty: {now}. Od {date} kwota {price} będzie pobierana automatycznie {every}, do chwili rezygnacji z subskrypcji.',
  termsTrial: {
    one: 'Jeden dzień bezpłatnie, dziś nic nie zostanie pobrane. W dniu {date} kwota {price} zostanie pobrana automatycznie, a potem {every}, do chwili rezygnacji z subskrypcji.',
    few: '{count} dni bezpłatnie, dziś nic nie zostanie pobrane. W dniu {date} kwota {price} zostanie pobrana automatycznie, a potem {every}, do chwili rezygnacji z subskrypcji.',
    many: '{count} dni bezpłatnie, dziś nic nie zostanie pobrane. W dniu {date} kwota {price} zostanie pobrana automatycznie, a potem {every}, do chwili rezygnacji z subskrypcji.',
    other:
      '{count} dnia bezpłatnie, dziś nic nie zostanie pobrane. W dniu {date} kwota {price} zostanie pobrana automatycznie, a potem {every}, do chwili rezygnacji z subskrypcji.',
  },
  termsPaid:
    'Od {date} kwota {price} będzie pobierana automatycznie {every}, do chwili rezygnacji z subskrypcji.',
  termsTrialBegun:
    'W dniu {date} kwota {price} zostanie pobrana automatycznie, a potem {every}, do chwili rezygnacji z subskrypcji.',
  termsCycles: 'Kończy się automatycznie po łącznie {count} płatnościach.',
  trialUsed: 'Bezpłatny okres próbny został już wykorzystany.',
  termsCoupon: {
    one: 'Kod obniża pierwszą płatność o {amount}.',
    few: 'Kod obniża każdą z pierwszych {count} płatności o {amount}.',
    many: 'Kod obniża każdą z pierwszych {count} płatności o {amount}.',
    other: 'Kod obniża każdą z pierwszych {count} płatności o {amount}.',
  },
  coupon: 'Kod {code}: −{amount}',
  planPrice: '{price} {every}',
  planPriceAfterTrial: 'potem {price} {every}',

  timeLeft: 'Czas na zapłatę:',
  minutesLeftSpoken: {
    one: 'Na zapłatę została jedna minuta.',
    few: 'Na zapłatę zostały {count} minuty.',
    many: 'Na zapłatę zostało {count} minut.',
    other: 'Na zapłatę zostało {count} minuty.',
  },
  timeOver: 'Czas minął',

  formHeading: 'Dane płatności',
  emailLabel: 'Adres e-mail',
  emailHint: 'Na wiadomości o tym zakupie.',
  emailMissing: 'Proszę podać adres e-mail.',
  emailInvalid: 'Proszę podać adres e-mail, na przykład nazwa@example.com.',
  nameLabel: 'Imię i nazwisko na fakturze',
  nameHint:
    'Na fakturze nie da się wydrukować wszystkich znaków z „{name}”. Proszę podać pisownię, którą da się wydrukować, albo zostawić to pole puste: wtedy w miejscu każdego z tych znaków na fakturze znajdzie się kod.',
  nameUnprintable:
    'Tej pisowni też nie da się wydrukować. Proszę spróbować innej albo zostawić to pole puste.',
  payingAs: 'Płatność jako {email}',
  methodLegend: 'Sposób płatności',
  methodCard: 'Karta',
  methodApplePay: 'Apple Pay',
  methodGooglePay: 'Google Pay',
  methodSimulated: 'symulacja',
  walletHint: 'Proszę nacisnąć przycisk poniżej, aby potwierdzić w portfelu.',
  cardFieldsTitle: 'Dane karty',
  cardFieldsLoading: 'Wczytywanie pól karty…',
  cardFieldsFailed: 'Nie udało się wczytać pól karty. Proszę sprawdzić połączenie i wczytać je ponownie.',
  cardFieldsRetry: 'Wczytaj ponownie',
  cardFieldsIncomplete: 'Proszę sprawdzić dane karty.',
  cardFieldsUnavailable:
    'Płatność nie jest teraz możliwa. Nic nie zostało pobrane. Proszę spróbować później.',
  pay: 'Zapłać {amount}',
  paySubscribe: 'Subskrybuj i zapłać {amount}',
  payTrial: 'Zamówienie z obowiązkiem zapłaty',
  firstCharge: 'Pierwsza opłata: {price} w dniu {date}, potem {every}',
  secureNote: 'Dane karty trafiają zaszyfrowane do operatora płatności. Sklep nigdy ich nie widzi.',
  cancel: 'Anuluj i wróć do sklepu',
  cancelPlain: 'Anuluj tę płatność',
  cancelTitle: 'Anulować tę płatność?',
  cancelBody: 'Nic nie zostanie pobrane, a na tej stronie nie będzie już można zapłacić.',
  cancelConfirm: 'Anuluj płatność',
  cancelKeep: 'Płacę dalej',
  returnToShop: 'Wróć do {merchant}',

  busyCard: 'Sprawdzanie karty…',
  busyProof: 'Sprawdzanie przeglądarki…',
  busyProofHint: 'To potrwa kilka sekund.',
  busyWallet: 'Proszę potwierdzić w portfelu…',
  busyBank: 'Łączenie z bankiem…',
  busySlow: 'To trwa dłużej niż zwykle…',
  busySlowHint: 'Proszę nie zamykać tej strony i nie płacić ponownie.',
  busyCancel: 'Anulowanie…',

  processingTitle: 'Płatność jest przetwarzana',
  processingBody: 'Czekamy na odpowiedź banku. Proszę nie zamykać tej strony.',
  elsewhereTitle: 'Ta płatność trwa w innej karcie przeglądarki',
  elsewhereBody:
    'Proszę dokończyć ją tam. Ta strona pokaże wynik, gdy tylko będzie znany. Proszę nie płacić ponownie.',
  sentTitle: 'Z tej strony wysłano płatność',
  sentBody:
    'Nie wiemy jeszcze, czy dotarła. Proszę nie płacić ponownie: sprawdzamy to, a wynik pojawi się na tej stronie.',
  challengeTitle: 'Bank chce potwierdzić tożsamość',
  challengeBody: 'Proszę potwierdzić płatność w banku. Wcześniej nic nie zostanie pobrane.',
  challengeOpen: 'Przejdź do banku',
  challengeFrameTitle: 'Potwierdzenie w banku',
  challengeLoading: 'Otwieranie strony banku…',
  challengeClose: 'Zamknij',
  challengeLeaveTitle: 'Przerwać potwierdzanie?',
  challengeLeaveBody:
    'Ta próba zostanie porzucona i nic za nią nie pobierzemy. Potem można zapłacić ponownie, także inną kartą.',
  challengeLeave: 'Przerwij',
  challengeStay: 'Potwierdzam dalej',
  challengeCheckTitle: 'Sprawdzanie w banku',
  challengeReturned: 'Bank odpowiedział. Jeśli to okno pozostanie otwarte, można je zamknąć.',
  challengeReturnedLink: 'Wróć do strony płatności',
  challengeNone: 'Nie ma już nic do potwierdzenia.',
  unknownTitle: 'Nie wiemy jeszcze, czy płatność się powiodła',
  unknownBody:
    'Połączenie przerwało się w złym momencie. Proszę nie płacić ponownie: nadal to sprawdzamy, a wynik pojawi się na tej stronie.',
  reconciliationTitle: 'Sprawdzamy, co się stało',
  reconciliationBody:
    'Bank nie dał jednoznacznej odpowiedzi. Proszę nie płacić ponownie. Nadal to sprawdzamy; tę stronę można zamknąć i otworzyć później pod tym samym adresem. {merchant} też pozna wynik.',
  cancellingTitle: 'Anulowanie płatności',
  cancellingBody: 'Prosimy bank o jej zatrzymanie. Ta strona pokaże, czy zdążyliśmy.',
  offline: 'Brak połączenia z internetem. Gdy wróci, ta strona sama podejmie działanie.',
  reconnecting: 'Połączenie zostało przerwane. Ponawiamy próbę…',

  succeededTitle: 'Płatność zakończona',
  succeededBody: 'Zapłacono {amount} na rzecz {merchant}.',
  trialTitle: 'Bezpłatny okres próbny się rozpoczął',
  trialBody: 'Dziś nic nie zostało pobrane. {merchant} już o tym wie.',
  confirmedTitle: 'Potwierdzono',
  confirmedBody: 'Proszę wrócić do urządzenia lub okna, w którym trwa płatność: tam widać wynik.',
  alreadyPaidTitle: 'To jest już zapłacone',
  alreadyPaidBody: 'Zapłacono {amount} na rzecz {merchant}. Nie trzeba tu już nic robić.',
  keepMethod: 'Używaj tej metody także do kolejnych płatności za subskrypcję.',
  paidElsewhereTitle: 'Ta faktura jest zapłacona',
  paidElsewhereBody: 'Faktura została zapłacona w inny sposób. Nie trzeba tu już nic robić.',
  linkOverTitle: 'Tego linku nie można już użyć',
  linkOverBody: 'Faktura nie jest już do zapłaty. Nic tu nie pobrano. {merchant} może pomóc.',
  receiptProduct: 'Produkt',
  receiptAmount: 'Kwota',
  receiptDate: 'Data',
  receiptReference: 'Numer referencyjny',
  receiptInvoice: 'Faktura (PDF)',
  contact: 'Pytania?',
  redirecting: 'Powrót do {merchant}…',
  expiredTitle: 'Czas na zapłatę minął',
  expiredBody:
    'Nic nie zostało pobrane. Jeśli zakup jest nadal aktualny, proszę wrócić do {merchant} i zacząć od nowa.',
  expiringBody: 'Upewniamy się, że nic więcej nie zostanie pobrane.',
  exhaustedTitle: 'Płatność się nie powiodła',
  exhaustedBody:
    'Żadna z prób się nie powiodła i nic nie zostało pobrane. Proszę wrócić do {merchant}, aby zacząć od nowa, także z inną kartą.',
  cancelledTitle: 'Płatność została anulowana',
  cancelledBody: 'Nic nie zostało pobrane.',
  resolvedTitle: 'Płatność się nie powiodła',
  resolvedBody: 'Sprawdzono to ręcznie: płatność nie doszła do skutku. {merchant} pomoże w dalszych krokach.',
  notFoundTitle: 'Ta strona płatności nie istnieje',
  notFoundBody:
    'Link może być niepełny. Proszę wrócić do sklepu i spróbować ponownie. Nic nie zostało pobrane.',
  unavailableTitle: 'Tej strony nie można teraz wyświetlić',
  unavailableBody:
    'Proszę za chwilę wczytać ją ponownie. Samo wczytanie nigdy nie powoduje pobrania środków.',
  loadAgain: 'Wczytaj ponownie',

  lapsedTitle: 'Płatność się nie rozpoczęła',
  lapsedBody:
    'Połączenie z bankiem trwało zbyt długo, więc je przerwaliśmy. Nic nie zostało pobrane. Można spróbować ponownie.',
  termsChangedTitle: 'Sprawdź kwotę',
  termsChangedBody:
    'Cena zmieniła się od chwili, gdy ta strona ją pokazała. Nic nie zostało pobrane. Sprawdź kwotę i naciśnij przycisk jeszcze raz.',
  subscribedTitle: 'Masz już tę subskrypcję',
  subscribedBody: 'Twoja subskrypcja trwa, więc nie została kupiona po raz drugi. Nic nie zostało pobrane.',
  tooManyTitle: 'To było trochę za szybko',
  tooManyBody: 'Proszę odczekać minutę i spróbować ponownie. To kliknięcie nic nie pobrało.',
  railOutTitle: 'Płatności kartą nie są teraz możliwe',
  railOutBody: 'Proszę spróbować za kilka minut. Do tego czasu nic nie zostanie pobrane.',
  declinedTitle: 'Płatność została odrzucona',
  notConfirmedTitle: 'Płatność nie została potwierdzona',
  attemptsLeft: {
    one: 'Została jeszcze jedna próba.',
    few: 'Zostały jeszcze {count} próby.',
    many: 'Zostało jeszcze {count} prób.',
    other: 'Zostało jeszcze {count} próby.',
  },
  declines: {
    card_declined:
      'Bank nie podał powodu. Nic nie zostało pobrane. Proszę użyć innej karty lub zapytać w banku.',
    insufficient_funds:
      'Na tej karcie nie ma wystarczających środków. Nic nie zostało pobrane. Proszę użyć innej karty.',
    expired_card: 'Ta karta straciła ważność. Nic nie zostało pobrane. Proszę użyć innej karty.',
    incorrect_cvc: 'Kod CVC jest błędny. Nic nie zostało pobrane. Proszę go sprawdzić i spróbować ponownie.',
    incorrect_number:
      'Numer karty jest błędny. Nic nie zostało pobrane. Proszę go sprawdzić i spróbować ponownie.',
    lost_or_stolen_card:
      'Bank nie zezwala na płatności tą kartą. Nic nie zostało pobrane. Proszę użyć innej karty.',
    suspected_fraud:
      'Bank nie zezwala na tę płatność. Nic nie zostało pobrane. Proszę użyć innej karty lub zapytać w banku.',
    authentication_failed:
      'Bank nie mógł potwierdzić tożsamości. Nic nie zostało pobrane. Proszę spróbować ponownie lub użyć innej karty.',
    authentication_required:
      'Bank wymaga potwierdzenia płatności. Nic nie zostało pobrane. Proszę spróbować ponownie i wykonać kroki banku.',
    processing_error:
      'Bank nie mógł przetworzyć płatności. Nic nie zostało pobrane. Proszę spróbować za chwilę.',
    cancelled:
      'Potwierdzanie przerwano lub trwało zbyt długo. Nic nie zostało pobrane. Można spróbować ponownie.',
  },
};
