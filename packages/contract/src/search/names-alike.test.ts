/** Names that are one person's in other letters, names that are not, and how often two different names sound alike. */
import { expect, test } from 'vitest';
import { namesSoundAlike } from './names-alike.ts';

test.each([
  ['Samia Hassan', 'Samya Hasan'],
  ['Samia Hassan', 'سامية حسن'],
  ['Hassan, Samia', 'سامية حسن'],
  ['Karim Adel', 'Kareem Adil'],
  ['Karim Adel', 'كريم عادل'],
  // All words of the shorter name are in the longer one.
  ['Karim Adel', 'Kareem Mohamed Adel Fathy'],
  ['كريم عادل', 'Karim Mohamed Adel'],
  // A first name is all that one of them says.
  ['Karim', 'Kareem Adel'],
  ['Mohamed Farouk', 'Muhammad Faruq'],
  ['Mohamed Farouk', 'محمد فاروق'],
  ['Abdel Rahman Salem', 'Abdulrahman Salem'],
  ['Abd El-Rahman Salem', 'عبد الرحمن سالم'],
  ['Ahmed El Sayed', 'Ahmad Elsayed'],
  ['Ahmed Sayed', 'أحمد السيد'],
  ['Nour Eldin Ali', 'Noor el-Din Aly'],
  ['Sarah Fathy', 'Sara Fathi'],
  ['نور فتحي', 'Nour Fathy'],
  ['Youssef Yehia', 'يوسف يحيى'],
  ['Karim bin Adel', 'Kareem Adel'],
  ['Nour El Din Ali', 'Noureldin Aly'],
  ['El', 'el'],
  ['Иван Петров', 'иван  петров'],
])('%s and %s sound alike', (one, other) => {
  expect(namesSoundAlike(one, other)).toBe(true);
  expect(namesSoundAlike(other, one)).toBe(true);
});

test.each([
  ['Samia Hassan', 'Samira Hassan'],
  ['Samia Hassan', 'Samia Hussein'],
  ['Samia Hassan', 'Samia Ali'],
  ['Mohamed Ali', 'Mahmoud Ali'],
  ['محمد علي', 'محمود علي'],
  // A grandfather or an uncle of one family.
  ['Mohamed Ali Hassan', 'Ali Hassan Ibrahim'],
  ['Mohamed Ali Hassan', 'Ali Hassan'],
  ['Mohamed Ali Hassan', 'Ahmed Ali Hassan'],
  ['Omar Farouk', 'Amr Farouk'],
  ['عمر فاروق', 'عمرو فاروق'],
  ['Mona Adel', 'Mina Adel'],
  ['Nour Adel', 'Noura Adel'],
  ['Hassan', 'Karim Hassan'],
  ['Иван Петров', 'Ivan Petrov'],
  ['', 'Karim Adel'],
  ['-', '-'],
])('%s and %s do not', (one, other) => {
  expect(namesSoundAlike(one, other)).toBe(false);
  expect(namesSoundAlike(other, one)).toBe(false);
});

type BothScripts = readonly [latin: string, arabic: string];
const pairs = (text: string): BothScripts[] =>
  text.split(',').map((pair) => {
    const [latin = '', arabic = ''] = pair.split('=').map((word) => word.trim());
    return [latin, arabic];
  });

const FIRST =
  pairs(`Ahmed=أحمد, Mohamed=محمد, Mahmoud=محمود, Mostafa=مصطفى, Omar=عمر, Amr=عمرو, Ali=علي, Hassan=حسن,
  Hussein=حسين, Khaled=خالد, Karim=كريم, Youssef=يوسف, Ibrahim=إبراهيم, Adam=آدم, Tarek=طارق, Sherif=شريف, Sameh=سامح, Samir=سمير,
  Tamer=تامر, Ziad=زياد, Hany=هاني, Hatem=حاتم, Hazem=حازم, Wael=وائل, Walid=وليد, Yehia=يحيى, Abdelrahman=عبد الرحمن,
  Abdallah=عبد الله, Nader=نادر, Nasser=ناصر, Magdy=مجدي, Fathy=فتحي, Peter=بيتر, Mina=مينا, Girgis=جرجس, Adel=عادل, Gamal=جمال,
  Ashraf=أشرف, Ayman=أيمن, Osama=أسامة, Mona=منى, Mariam=مريم, Fatma=فاطمة, Samia=سامية, Samira=سميرة, Salma=سلمى, Sara=سارة,
  Layla=ليلى, Nour=نور, Noha=نهى, Nadia=نادية, Hana=هنا, Heba=هبة, Hoda=هدى, Amira=أميرة, Amina=أمينة, Dina=دينا, Dalia=داليا,
  Eman=إيمان, Rania=رانيا, Reem=ريم, Yasmin=ياسمين, Aisha=عائشة, Ghada=غادة, Mai=مي, Maha=مها, Malak=ملك, Jana=جنى, Rana=رنا,
  Shaimaa=شيماء`);
const LAST =
  pairs(`Hassan=حسن, Ibrahim=إبراهيم, Ali=علي, Adel=عادل, Samir=سمير, Fathy=فتحي, Fouad=فؤاد, Farouk=فاروق, Mansour=منصور,
  Sayed=سيد, Elsayed=السيد, Kamal=كمال, Gamal=جمال, Salem=سالم, Salama=سلامة, Sobhy=صبحي, Soliman=سليمان, Shawky=شوقي, Zaki=زكي,
  Zidan=زيدان, Abdelaziz=عبد العزيز, Abdelhamid=عبد الحميد, Nabil=نبيل, Nasr=نصر, Naguib=نجيب, Lotfy=لطفي, Makram=مكرم, Hamdy=حمدي,
  Helmy=حلمي, Refaat=رفعت, Rashad=رشاد, Ramadan=رمضان, Darwish=درويش, Bakr=بكر, Barakat=بركات, Tawfik=توفيق, Mahmoud=محمود,
  Mostafa=مصطفى, Khalil=خليل, Kassem=قاسم`);
const COUNT = 200;
/** 200 different people, as they are written in both scripts. */
const PEOPLE = Array.from({ length: COUNT }, (_, index): BothScripts => {
  const first = FIRST[(index * 7) % FIRST.length] ?? ['', ''];
  const last = LAST[(index * 11 + Math.floor(index / LAST.length)) % LAST.length] ?? ['', ''];
  return [`${first[0]} ${last[0]}`, `${first[1]} ${last[1]}`];
});

/** Pairs of different people whose names sound alike, of 19,900. */
function countAlike(written: (person: BothScripts, index: number) => string): string[] {
  const names = PEOPLE.map(written);
  return names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .filter((other) => namesSoundAlike(one, other))
      .map((other) => `${one} / ${other}`),
  );
}

test('of 200 plausible names few pairs sound alike that are not one person', () => {
  expect(new Set(PEOPLE.map(([latin]) => latin)).size).toBe(COUNT);
  expect(countAlike(([latin]) => latin).length).toBeLessThanOrEqual(5);
  expect(countAlike(([, arabic]) => arabic).length).toBeLessThanOrEqual(5);
  expect(countAlike((person, index) => person[index % 2] ?? '').length).toBeLessThanOrEqual(5);
});

test('each of them sounds alike in both scripts', () => {
  const missed = PEOPLE.filter(([latin, arabic]) => !namesSoundAlike(latin, arabic));
  expect(missed).toEqual([]);
});
