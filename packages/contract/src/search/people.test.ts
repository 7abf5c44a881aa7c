/** Names of a nursery with look-alikes, and what people type for them: the first answer must be the right child. */
import { describe, expect, test } from 'vitest';
import { editDistance, queryOf, rankPeople, searchable } from './people.ts';

const ROSTER = [
  'Layla Hassan',
  'Lila Sami',
  'Lola Fathy',
  'Adam Ibrahim',
  'Adham Ibrahim',
  'Ahmed Samir',
  'Mohamed Adel',
  'Mahmoud Adel',
  'Mostafa Kamal',
  'Mariam Nabil',
  'Marwan Nabil',
  'Youssef Tarek',
  'Yasmin Tarek',
  'Nour Ibrahim',
  'Noha Sayed',
  'Omar Hassan',
  'Amr Hassan',
  'Khaled Zaki',
  'Karim Zaki',
  'Karma Zaki',
  'Sherif Magdy',
  'Shahd Magdy',
  'Ghada Lotfy',
  'Hussein Ali',
  'Hassan Ali',
  'Salma Ali',
  'Selim Ali',
  'Zeyad Hany',
  'Ziad Fouad',
  'Fatma Zahra',
  'Abdelrahman Nasser',
  'Jana Wael',
  'José Ángel Muñoz',
  'Charlotte O’Brien',
  'Peter Girgis',
  'Christine Makram',
  'Aisha Bakr',
  'Malak Refaat',
  'Malek Refaat',
  'ليلى منصور',
  'آدم شريف',
  'أحمد فؤاد',
  'محمد علاء',
  'محمود علاء',
  'مصطفى رضا',
  'مريم عادل',
  'يوسف هاني',
  'ياسمين هاني',
  'نور الدين',
  'عمر فاروق',
  'عمرو فاروق',
  'خالد يحيى',
  'كريم يحيى',
  'حسين زيدان',
  'حسن زيدان',
  'فاطمة الزهراء',
  'عبد الرحمن سالم',
  'جنى طارق',
  'عائشة بكر',
  'شهد مجدي',
  'رقية حمدي',
  'زياد وجيه',
  'هنا سامح',
  'بيتر جرجس',
];

const people = ROSTER.map((name) => ({ name, fields: [{ text: searchable('name', name), penalty: 0 }] }));
const find = (typed: string) =>
  rankPeople(queryOf(typed), people, ({ fields }) => fields).map(({ person }) => person.name);

describe('the first answer', () => {
  test.each([
    // Part of a name, any order of words, other spellings.
    ['layla', 'Layla Hassan'],
    ['lay', 'Layla Hassan'],
    ['hassan layla', 'Layla Hassan'],
    ['ibrahim adam', 'Adam Ibrahim'],
    ['ada', 'Adam Ibrahim'],
    ['adham', 'Adham Ibrahim'],
    ['jose munoz', 'José Ángel Muñoz'],
    ['obrien', 'Charlotte O’Brien'],
    ["o'brien", 'Charlotte O’Brien'],
    ['yousef', 'Youssef Tarek'],
    ['yosif', 'Youssef Tarek'],
    ['mohammed', 'Mohamed Adel'],
    ['muhammad', 'Mohamed Adel'],
    ['abdel rahman', 'Abdelrahman Nasser'],
    ['abd elrahman', 'Abdelrahman Nasser'],
    ['zeyad', 'Zeyad Hany'],
    ['ziad', 'Ziad Fouad'],
    ['malek', 'Malek Refaat'],
    ['malak', 'Malak Refaat'],
    // One or two errors, neighbours swapped.
    ['lyala', 'Layla Hassan'],
    ['laylaa', 'Layla Hassan'],
    ['khaldd', 'Khaled Zaki'],
    ['charlote', 'Charlotte O’Brien'],
    ['chralotte', 'Charlotte O’Brien'],
    ['mostfaa', 'Mostafa Kamal'],
    ['mrawan', 'Marwan Nabil'],
    ['yasmni', 'Yasmin Tarek'],
    ['sherfi', 'Sherif Magdy'],
    ['hussien', 'Hussein Ali'],
    ['abdlerahman', 'Abdelrahman Nasser'],
    ['ahmde', 'Ahmed Samir'],
    ['mahmuod', 'Mahmoud Adel'],
    ['crhistine', 'Christine Makram'],
    ['salmaa', 'Salma Ali'],
    ['girgsi', 'Peter Girgis'],

    ['ibrahmi nour', 'Nour Ibrahim'],
    ['ليلي', 'ليلى منصور'],
    ['ليلا', 'ليلى منصور'],
    ['مصطفي', 'مصطفى رضا'],
    ['مصطقى', 'مصطفى رضا'],
    ['محمدد', 'محمد علاء'],
    ['فطمة', 'فاطمة الزهراء'],
    ['الزهرا', 'فاطمة الزهراء'],
    ['زهراء', 'فاطمة الزهراء'],
    ['يوسق', 'يوسف هاني'],
    ['يسوف', 'يوسف هاني'],
    ['ياسمبن', 'ياسمين هاني'],
    ['عبدالرحمن', 'عبد الرحمن سالم'],
    ['عائشه', 'عائشة بكر'],
    ['رقيه', 'رقية حمدي'],
    ['احمد', 'أحمد فؤاد'],
    ['سالم عبد الرحمن', 'عبد الرحمن سالم'],
    // Arabic letters for a Latin name.
    ['شارلوت', 'Charlotte O’Brien'],
    ['كريستين', 'Christine Makram'],
    ['غادة', 'Ghada Lotfy'],
    ['سلمى', 'Salma Ali'],
    ['مروان', 'Marwan Nabil'],
    ['نهى', 'Noha Sayed'],
    ['شريف', 'آدم شريف'],
    ['كارما', 'Karma Zaki'],
    // Latin letters for an Arabic name, by a surname that only one child has.
    ['mansour', 'ليلى منصور'],
    ['layla mansour', 'ليلى منصور'],
    ['leila mansur', 'ليلى منصور'],
    ['roqaya', 'رقية حمدي'],
    ['hamdy', 'رقية حمدي'],
    ['mohamed alaa', 'محمد علاء'],
    ['mahmoud alaa', 'محمود علاء'],
    ['mostafa reda', 'مصطفى رضا'],
    ['maryam adel', 'مريم عادل'],
    ['yousef hany', 'يوسف هاني'],
    ['yasmine hani', 'ياسمين هاني'],
    ['omar farouk', 'عمر فاروق'],
    ['amr farouk', 'عمرو فاروق'],
    ['khaled yehia', 'خالد يحيى'],
    ['karim yahya', 'كريم يحيى'],
    ['hussein zidan', 'حسين زيدان'],
    ['hassan zidan', 'حسن زيدان'],
    ['fatma elzahraa', 'فاطمة الزهراء'],
    ['fatima al zahraa', 'Fatma Zahra'],
    ['abdelrahman salem', 'عبد الرحمن سالم'],
    ['gana tarek', 'جنى طارق'],
    ['jana tarik', 'جنى طارق'],
    ['shahd magdi', 'Shahd Magdy'],
    ['ziad wagih', 'زياد وجيه'],
    ['hana sameh', 'هنا سامح'],
    ['peter gerges', 'Peter Girgis'],
    ['sameh', 'هنا سامح'],
  ])('of %s is %s', (typed, expected) => expect(find(typed)[0]).toBe(expected));

  test.each([
    ['omar', ['Omar Hassan', 'عمر فاروق']],
    ['عمر', ['عمر فاروق', 'عمرو فاروق', 'Omar Hassan']],
    ['layla', ['Layla Hassan', 'Lila Sami', 'ليلى منصور']],
    ['ليلى', ['ليلى منصور', 'Layla Hassan', 'Lila Sami']],
    ['mohamed', ['Mohamed Adel', 'محمد علاء']],
    ['مريم', ['مريم عادل', 'Mariam Nabil']],
    ['peter', ['Peter Girgis', 'بيتر جرجس']],
    ['aisha', ['Aisha Bakr', 'عائشة بكر']],
    ['زياد', ['زياد وجيه', 'Ziad Fouad', 'Zeyad Hany']],
    ['khaled', ['Khaled Zaki', 'خالد يحيى']],
  ])('%s is found in both scripts', (typed, expected) => {
    expect(find(typed).slice(0, expected.length).sort()).toEqual([...expected].sort());
    expect(find(typed)[0]).toBe(expected[0]);
  });

  test.each(['zzz', 'karina zaki x', '123', '🧸', 'wolfgang', 'سوسن عبدربه', 'qq'])(
    '%s finds nobody',
    (typed) => expect(find(typed)).toEqual([]),
  );
});

test('whoever matches with an error only is left out if anybody matches without', () => {
  expect(find('salma')).toEqual(['Salma Ali']);
  expect(find('hassan ali')).toEqual(['Hassan Ali']);
});

describe('phone and e-mail', () => {
  const phone = [{ text: searchable('phone', '01001234567'), penalty: 0 }];
  const email = [{ text: searchable('email', 'mona.hassan@family.test'), penalty: 0 }];
  const isFound = (typed: string, fields = phone) =>
    rankPeople(queryOf(typed), [0], () => fields).length === 1;

  test.each(['4567', '01001234567', '0100 123 4567', '٤٥٦٧', '+20 100 123 4567', '00201001234567', '345'])(
    '%s finds the number',
    (typed) => expect(isFound(typed)).toBe(true),
  );
  test.each(['4568', '67', '7654', 'mona 4567'])('%s does not', (typed) =>
    expect(isFound(typed)).toBe(false),
  );
  test.each(['mona.h', 'hassan@fam', 'FAMILY.TEST', 'hassan mona'])('%s finds the address', (typed) =>
    expect(isFound(typed, email)).toBe(true),
  );
});

test('two letters do not find an address', () => {
  const email = [{ text: searchable('email', 'mona@haris.example'), penalty: 0 }];
  expect(rankPeople(queryOf('ha'), [0], () => email)).toEqual([]);
});

test('an edit is an insertion, a deletion, a change or a swap', () => {
  expect(editDistance('adma', 'adam', 1, false)).toBe(1);
  expect(editDistance('adm', 'adam', 1, false)).toBe(1);
  expect(editDistance('adaam', 'adam', 1, false)).toBe(1);
  expect(editDistance('adom', 'adam', 1, false)).toBe(1);
  expect(editDistance('odom', 'adam', 1, false)).toBeNull();
  expect(editDistance('chralo', 'charlotte', 1, true)).toBe(1);
});
