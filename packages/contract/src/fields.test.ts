/** Checks the validators against an independent statement of each rule (spec §5, contract §3). */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areaSchema,
  entryPeriodSchema,
  INVALID_EMAIL,
  INVALID_NATIONAL_ID,
  INVALID_PHONE,
  loginEmailSchema,
  nameSchema,
  nationalIdSchema,
  parentEmailSchema,
  parentPasswordSchema,
  phoneSchema,
  staffEmailSchema,
  staffPasswordSchema,
  toAsciiDigits,
} from './fields.ts';

const RUNS = { numRuns: 1500 };
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

/** Text mostly of characters that matter for a rule, so that both verdicts occur often. */
const textOf = (characters: string, maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
/** A valid text with a few characters changed, dropped or doubled. */
const almost = (good: fc.Arbitrary<string>) =>
  fc
    .tuple(
      good,
      fc.nat(),
      fc.constantFrom('', ' ', ...DIGITS, 'x', '@', '.', '-', '+', '٣', '\n', '０', 'é', '_'),
      fc.nat(2),
    )
    .map(([text, at, put, cut]) => {
      const place = text.length === 0 ? 0 : at % text.length;
      return text.slice(0, place) + put + text.slice(place + cut);
    });
const pad = fc.constantFrom('', ' ', '  ', '\t', '\n', '\u00a0');
const padded = (text: fc.Arbitrary<string>) => fc.tuple(pad, text, pad).map((parts) => parts.join(''));
const arabic = (text: string, zero: number) =>
  text.replace(/[0-9]/g, (digit) => String.fromCharCode(zero + Number(digit)));

const isIn = (text: string, characters: string) =>
  [...text].every((character) => characters.includes(character));

describe('the parent’s e-mail', () => {
  /** The rule of spec §5: local part, @, a domain, a dot, and at least 2 letters. */
  function fits(typed: string): boolean {
    const text = typed.trim().toLowerCase();
    const at = text.indexOf('@');
    if (at < 1 || text.length > 254) return false;
    const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
    const dot = domain.lastIndexOf('.');
    if (dot < 1) return false;
    const end = domain.slice(dot + 1);
    return (
      isIn(local, `${LETTERS}${DIGITS}_.-`) &&
      isIn(domain.slice(0, dot), `${LETTERS}${DIGITS}.-`) &&
      end.length >= 2 &&
      isIn(end, LETTERS)
    );
  }
  const good = fc
    .tuple(
      textOf(`${LETTERS}ABC${DIGITS}_.-`, 12, 1),
      textOf(`${LETTERS}${DIGITS}.-`, 10, 1),
      textOf(`${LETTERS}XYZ`, 4, 2),
    )
    .map(([local, domain, end]) => `${local}@${domain}.${end}`);

  test('is taken exactly where the rule says, and kept lower-cased and trimmed', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(padded(good), almost(good), textOf('ab@.-_+ 1', 12), anything), (typed) => {
        const parsed = parentEmailSchema.safeParse(typed);
        expect(parsed.success).toBe(fits(typed));
        if (!parsed.success) {
          expect(parsed.error.issues[0]?.message).toBe(INVALID_EMAIL);
          return;
        }
        taken++;
        expect(parsed.data).toBe(typed.trim().toLowerCase());
        expect(parentEmailSchema.parse(parsed.data)).toBe(parsed.data);
        expect(loginEmailSchema.parse(typed)).toBe(parsed.data);
      }),
      RUNS,
    );
    expect(taken).toBeGreaterThan(200);
  });

  test('has no plus sign; staff’s may have one', () => {
    expect(parentEmailSchema.safeParse('a+b@c.de').success).toBe(false);
    expect(staffEmailSchema.parse(' A+B@c.de ')).toBe('a+b@c.de');
    for (const odd of ['a@b', 'a b@c.de', '@c.de', 'a@', 'a@b..de', `${'x'.repeat(250)}@c.de`])
      expect(staffEmailSchema.safeParse(odd).error?.issues[0]?.message, odd).toBe(INVALID_EMAIL);
  });

  test('is checked without going back over the text, whatever is sent', async () => {
    // In a process of its own, which can be ended: an expression that goes back needs hours or years for these.
    const script = `
      import { parentEmailSchema, staffEmailSchema } from ${JSON.stringify(new URL('./fields.ts', import.meta.url).href)};
      for (const odd of ['a.'.repeat(500_000) + '@', 'a@' + 'a.'.repeat(500_000) + '1', '@'.repeat(1_000_000)])
        for (const schema of [parentEmailSchema, staffEmailSchema]) console.log(schema.safeParse(odd).success);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      {
        timeout: 300_000,
        killSignal: 'SIGKILL',
      },
    );
    expect(stdout.trim().split('\n')).toEqual(Array(6).fill('false'));
  }, 400_000);
});

describe('the phone', () => {
  /** An 11-digit Egyptian mobile number: 01, then 0, 1, 2 or 5, then 8 digits. */
  function fits(typed: string): boolean {
    const digits = [...typed.trim()].map((character) => {
      const code = character.codePointAt(0) ?? 0;
      for (const zero of [0x30, 0x660, 0x6f0]) if (code >= zero && code <= zero + 9) return code - zero;
      return -1;
    });
    return (
      digits.length === 11 &&
      !digits.includes(-1) &&
      digits[0] === 0 &&
      digits[1] === 1 &&
      [0, 1, 2, 5].includes(digits[2] ?? -1)
    );
  }
  const good = fc
    .tuple(textOf('0125', 1, 1), textOf(DIGITS, 8, 8), fc.constantFrom(0x30, 0x660, 0x6f0))
    .map(([third, rest, zero]) => arabic(`01${third}${rest}`, zero));

  test('is taken exactly where the rule says, and kept in 0–9', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(padded(good), almost(good), textOf('0125٠١٢٥۰۱', 11, 9), anything), (typed) => {
        const parsed = phoneSchema.safeParse(typed);
        expect(parsed.success).toBe(fits(typed));
        if (parsed.success) {
          taken++;
          expect(parsed.data).toMatch(/^[0-9]{11}$/);
        } else expect(parsed.error.issues[0]?.message).toBe(INVALID_PHONE);
      }),
      RUNS,
    );
    expect(taken).toBeGreaterThan(200);
  });

  test('of Saudi Arabia, with a country code or dashes is not one', () => {
    for (const odd of ['0501234567', '+201012345678', '010-1234-5678', '010 12345678', '', 1012345678])
      expect(phoneSchema.safeParse(odd).success, String(odd)).toBe(false);
  });
});

describe('the national ID', () => {
  /** 14 digits, the first 2 or 3, digits 4–5 a month, digits 6–7 a day. */
  function fits(typed: string): boolean {
    const text = [...typed.trim()]
      .map((character) => {
        const code = character.codePointAt(0) ?? 0;
        for (const zero of [0x660, 0x6f0]) if (code >= zero && code <= zero + 9) return String(code - zero);
        return character;
      })
      .join('');
    if (text.length !== 14 || !isIn(text, DIGITS)) return false;
    const month = Number(text.slice(3, 5));
    const day = Number(text.slice(5, 7));
    return '23'.includes(text.charAt(0)) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  }
  const good = fc
    .tuple(
      textOf('23', 1, 1),
      textOf(DIGITS, 2, 2),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 31 }),
      textOf(DIGITS, 7, 7),
      fc.constantFrom(0x30, 0x660, 0x6f0),
    )
    .map(([century, year, month, day, rest, zero]) =>
      arabic(
        `${century}${year}${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}${rest}`,
        zero,
      ),
    );

  test('is taken exactly where the rule says', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(padded(good), almost(good), textOf('0123', 14, 13), anything), (typed) => {
        const parsed = nationalIdSchema.safeParse(typed);
        expect(parsed.success).toBe(fits(typed));
        if (parsed.success) taken++;
        else expect(parsed.error.issues[0]?.message).toBe(INVALID_NATIONAL_ID);
      }),
      RUNS,
    );
    expect(taken).toBeGreaterThan(200);
  });

  test('at the edges of months and days', () => {
    const id = (monthDay: string) => nationalIdSchema.safeParse(`299${monthDay}1234567`).success;
    for (const fine of ['0101', '1231', '0231']) expect(id(fine), fine).toBe(true);
    for (const odd of ['0001', '1301', '0100', '0132', '9999']) expect(id(odd), odd).toBe(false);
  });
});

describe('a name', () => {
  /** Characters that fonts do not render, as listed by Unicode. */
  const isIgnorable = (character: string) => /^\p{Default_Ignorable_Code_Point}$/u.test(character);
  const rule = (typed: string): string | null => {
    const text = typed
      .normalize('NFC')
      .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
      .replace(/[\ufe0e\ufe0f]/g, '')
      .trim();
    if (![...text].some((character) => character !== '\u2800' && /^[\p{L}\p{N}\p{S}\p{P}]$/u.test(character)))
      return 'Name is required';
    if ([...text].length > 100) return 'Name may have up to 100 characters';
    const characters = [...text];
    for (const [at, character] of characters.entries()) {
      const joins = [characters[at - 1], characters[at + 1]].every((one) =>
        /^\p{Script=Arabic}$/u.test(one ?? ''),
      );
      if (character === '\u200c' && joins) continue;
      const hidden = /^[\p{Cc}\p{Cf}\p{Co}\u2028\u2029\u2800]$/u.test(character) || isIgnorable(character);
      const marks = characters.slice(at, at + 5);
      const isStack = marks.length === 5 && marks.every((one) => /^\p{Mn}$/u.test(one));
      const isBroken = !character.isWellFormed() || character === '\ufffd' || isStack;
      if (hidden || isBroken || /^\p{Noncharacter_Code_Point}$/u.test(character))
        return 'Name has characters that are not allowed';
    }
    return null;
  };

  test('of any script is taken exactly where the rule says, trimmed and composed', () => {
    const odd = textOf('ab يوسف\u0301\u200f\u202e\u2066\u0000\u0007\n\t\u00a0\ud800\u200b🧸', 8);
    const long = textOf('a🧸 é', 104, 96);
    fc.assert(
      fc.property(fc.oneof(padded(textOf('Aliعلي小明Ñ', 10)), odd, long, anything), (typed) => {
        const parsed = nameSchema.safeParse(typed);
        expect(parsed.success ? null : parsed.error.issues[0]?.message).toBe(rule(typed));
        if (!parsed.success) return;
        expect(parsed.data).toBe(parsed.data.trim().normalize('NFC'));
        expect(parsed.data.isWellFormed()).toBe(true);
        expect([...parsed.data].length).toBeGreaterThanOrEqual(1);
        expect([...parsed.data].length).toBeLessThanOrEqual(100);
      }),
      RUNS,
    );
  });

  test('has no character that nobody sees, and none that turns what is read', () => {
    const verdict = (text: string) => nameSchema.safeParse(text).error?.issues[0]?.message ?? null;
    for (const code of [
      ...[0x0, 0x9, 0xa, 0xb, 0xd, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x180e],
      ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2063, 0x2066],
      ...[
        0x2069, 0x206f, 0x2800, 0x3164, 0xe000, 0xfeff, 0xfff9, 0xfffd, 0xfffe, 0xfdd0, 0xd800, 0xdc00,
        0xffa0, 0x1d173, 0xe0001, 0xe0061, 0xe0100,
      ],
    ]) {
      const name = `Mo${String.fromCodePoint(code)}na`;
      expect(verdict(name), code.toString(16)).toBe('Name has characters that are not allowed');
      expect(areaSchema.safeParse(name).error?.issues[0]?.message).toBe(
        'Area has characters that are not allowed',
      );
    }
    expect(verdict(`Mona${'\u0301'.repeat(90)}`)).toBe('Name has characters that are not allowed');
    for (const marked of ['شَدَّةٌ', 'Nguyễn', 'שָׁלוֹם', 'ที่', 'Z\u0351\u036b\u0343\u036a'])
      expect(verdict(marked), marked).toBeNull();
    for (const blank of ['\u200b', '\u2800', '\u3164\u115f', ' \u2003 ', '\ufe0f'])
      expect(verdict(blank)).not.toBe(null);
  });

  test('keeps what people write: U+200C inside Persian words, marks, blanks as plain ones, emoji', () => {
    expect(nameSchema.parse('علی\u200cرضا')).toBe('علی\u200cرضا');
    expect(nameSchema.parse('مُحَمَّد')).toBe('مُحَمَّد'.normalize('NFC'));
    expect(nameSchema.parse('\u00a0Mona\u00a0Said\u2003')).toBe('Mona Said');
    expect(nameSchema.parse("O’Brien-Łukasz d'Árc")).toBe("O’Brien-Łukasz d'Árc");
    expect(areaSchema.parse('☀\ufe0f Sun room')).toBe('☀ Sun room');
  });

  test('has 100 characters at most, however many bytes they take', () => {
    expect(nameSchema.safeParse('🧸'.repeat(100)).success).toBe(true);
    expect(nameSchema.safeParse('🧸'.repeat(101)).success).toBe(false);
    expect(nameSchema.parse('e\u0301')).toBe('é');
  });
});

describe('passwords', () => {
  test('have 6 characters for parents, 8 for staff, 128 at most', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 140 }), (typed) => {
        expect(parentPasswordSchema.safeParse(typed).success).toBe(typed.length >= 6 && typed.length <= 128);
        expect(staffPasswordSchema.safeParse(typed).success).toBe(typed.length >= 8 && typed.length <= 128);
      }),
      RUNS,
    );
    expect(parentPasswordSchema.parse('  a  b')).toBe('  a  b');
    expect(parentPasswordSchema.safeParse('').error?.issues.map(({ message }) => message)).toEqual([
      'Password is required',
    ]);
  });
});

test('a period is 30, 60, 120 or 240 whole minutes, as a number', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer(), fc.double(), fc.constantFrom(30, 60, 120, 240, '30', '60', null, true)),
      (value) => {
        expect(entryPeriodSchema.safeParse(value).success).toBe([30, 60, 120, 240].includes(value as number));
      },
    ),
    RUNS,
  );
});

test('digits of both Arabic scripts become 0–9, and nothing else changes', () => {
  fc.assert(
    fc.property(anything, textOf(DIGITS, 10), (text, digits) => {
      expect(toAsciiDigits(arabic(digits, 0x660))).toBe(digits);
      expect(toAsciiDigits(arabic(digits, 0x6f0))).toBe(digits);
      const plain = text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, '');
      expect(toAsciiDigits(plain)).toBe(plain);
    }),
    RUNS,
  );
});
