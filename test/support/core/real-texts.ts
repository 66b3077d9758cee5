/** Texts as long as real ones: a product's name, its buyer's email, and the language of the page. */
export const REAL_TEXTS = [
  [
    'Rindfleischetikettierungsüberwachungsaufgaben-Handbuch, dritte überarbeitete Auflage',
    'maximiliane.von-und-zu-hohenlohe@buchhaltung.beispiel.example',
    'de',
  ],
  ['Żółta łódź podwodna – wydanie kolekcjonerskie z okazji dziesięciolecia', 'zolw@lodz.example', 'pl'],
  ['اشتراك القهوة الشهري مع توصيل مجاني إلى باب المنزل', 'mona@qahwa.example', 'en'],
  ['深煎りコーヒー豆の定期便（毎月二百グラム）と特製マグカップのセット', 'hanako@kohii.example', 'en'],
  ['מנוי חודשי לקפה טרי (250g Espresso) עם משלוח חינם עד הבית', 'noa@kafe.example', 'en'],
  ['🎁 Überraschungspaket ☕🍪 mit 12 Sorten Kaffee 😀 und Keksen 🎉🎉🎉', 'emil@kekse.example', 'de'],
] as const;
