/** The care card of a child: what somebody must know who looks after it (decision 050). */
import * as z from 'zod/mini';
import { facilityPhoneSchema, freeTextSchema } from './fields.ts';

/** What a child can be allergic to; each has a picture. `medicine` and `other` need a name in words. */
export const ALLERGENS = [
  'peanut',
  'nuts',
  'milk',
  'egg',
  'fish',
  'shellfish',
  'gluten',
  'soy',
  'sesame',
  'insect_sting',
  'medicine',
  'other',
] as const;
export type Allergen = (typeof ALLERGENS)[number];
const UNNAMED: ReadonlySet<Allergen> = new Set(['medicine', 'other']);

/** Severity of a reaction as in HL7 FHIR, worst first. `severe`: danger to life. */
export const ALLERGY_SEVERITIES = ['severe', 'moderate', 'mild'] as const;

export const CARE_DOCUMENTS = [
  'birth_certificate',
  'identity',
  'passport',
  'vaccination',
  'medical_certificate',
  'consent',
  'court_order',
  'other',
] as const;

/** Most entries of each list of a card. */
export const CARE_ENTRIES_MAX = 20;
export const CARE_CONTACTS_MAX = 10;
/** Longest text of a line, of a few lines, and of the note. Characters. */
export const CARE_LINE_MAX = 100;
export const CARE_TEXT_MAX = 300;
export const CARE_NOTE_MAX = 2000;

const allergySchema = z.object({
  allergen: z.enum(ALLERGENS),
  /** In the family's words; empty: the allergen says it. */
  substance: z.string(),
  severity: z.enum(ALLERGY_SEVERITIES),
  reaction: z.string(),
  /** What to do. */
  action: z.string(),
});
export type Allergy = z.infer<typeof allergySchema>;

/** Empty texts, lists and null stand for what nobody has entered. Dates are `YYYY-MM-DD`, the last valid day. */
export const careCardSchema = z
  .object({
    allergies: z.array(allergySchema),
    medicines: z.array(
      z.object({
        name: z.string(),
        dose: z.string(),
        when: z.string(),
        untilDate: z.nullable(z.string()),
        /** Whether the family permits that the nursery gives it (decision 052). Cards of before have no such field. */
        permitted: z._default(z.boolean(), false),
      }),
    ),
    conditions: z.array(z.string()),
    dietary: z.string(),
    /** Whom to call, first one first. */
    contacts: z.array(z.object({ name: z.string(), relation: z.string(), phone: z.string() })),
    doctor: z.nullable(z.object({ name: z.string(), phone: z.string() })),
    insurance: z.nullable(
      z.object({ company: z.string(), number: z.string(), validUntil: z.nullable(z.string()) }),
    ),
    documents: z.array(
      z.object({ kind: z.enum(CARE_DOCUMENTS), name: z.string(), validUntil: z.nullable(z.string()) }),
    ),
    note: z.string(),
  })
  .register(z.globalRegistry, { id: 'CareCard' });
export type CareCard = z.infer<typeof careCardSchema>;

/** A card in which nobody has entered anything. */
export const EMPTY_CARE_CARD: CareCard = {
  allergies: [],
  medicines: [],
  conditions: [],
  dietary: '',
  contacts: [],
  doctor: null,
  insurance: null,
  documents: [],
  note: '',
};

/** Whether nothing is entered in a card. Pure. */
export function isEmptyCard(card: CareCard): boolean {
  const { doctor, insurance, ...parts } = card;
  return doctor === null && insurance === null && Object.values(parts).every((part) => part.length === 0);
}

const MISSING = 'Please fill this in';
const line = freeTextSchema(CARE_LINE_MAX);
const neededLine = freeTextSchema(CARE_LINE_MAX, MISSING);
const text = freeTextSchema(CARE_TEXT_MAX);

const DAY = 'Enter a date like 2026-11-21';
const daySchema = z.pipe(
  z.pipe(
    z.nullable(z.string(DAY)),
    z.transform((day) => (day === null || day.trim() === '' ? null : day.trim())),
  ),
  z.nullable(z.iso.date(DAY)),
);

function listOf<Entry extends z.ZodMiniType>(entry: Entry, most: number) {
  return z.array(entry).check(z.maxLength(most, `There may be up to ${most} entries`));
}

/** A card as somebody sends it. Every field is required, because a save replaces the whole card. */
export const careCardInputSchema = z.object({
  allergies: listOf(
    z
      .object({
        allergen: z.enum(ALLERGENS, { error: 'Please choose one' }),
        substance: line,
        severity: z.enum(ALLERGY_SEVERITIES, { error: 'Please choose one' }),
        reaction: text,
        action: text,
      })
      .check(
        z.refine(({ allergen, substance }) => substance !== '' || !UNNAMED.has(allergen), {
          error: MISSING,
          path: ['substance'],
        }),
      ),
    CARE_ENTRIES_MAX,
  ),
  medicines: listOf(
    z.object({
      name: neededLine,
      dose: line,
      when: line,
      untilDate: daySchema,
      /** Only a parent can set it: see {@link withPermissions}. */
      permitted: z._default(z.boolean('must be true or false'), false),
    }),
    CARE_ENTRIES_MAX,
  ),
  conditions: listOf(freeTextSchema(CARE_TEXT_MAX, MISSING), CARE_ENTRIES_MAX),
  dietary: text,
  contacts: listOf(
    z.object({ name: neededLine, relation: line, phone: facilityPhoneSchema }),
    CARE_CONTACTS_MAX,
  ),
  doctor: z.nullable(z.object({ name: neededLine, phone: facilityPhoneSchema })),
  insurance: z.nullable(z.object({ company: neededLine, number: line, validUntil: daySchema })),
  documents: listOf(
    z.object({
      kind: z.enum(CARE_DOCUMENTS, { error: 'Please choose one' }),
      name: line,
      validUntil: daySchema,
    }),
    CARE_ENTRIES_MAX,
  ),
  note: freeTextSchema(CARE_NOTE_MAX),
});

/**
 * The card as staff may save it: a medicine is permitted only if the family has permitted exactly it, with dose, times and
 * last day. Pure.
 */
export function withPermissions(card: CareCard, before: Pick<CareCard, 'medicines'>): CareCard {
  const isPermitted = (medicine: CareCard['medicines'][number]) =>
    before.medicines.some(
      (one) =>
        one.permitted &&
        one.name === medicine.name &&
        one.dose === medicine.dose &&
        one.when === medicine.when &&
        one.untilDate === medicine.untilDate,
    );
  return {
    ...card,
    medicines: card.medicines.map((medicine) => ({
      ...medicine,
      permitted: medicine.permitted && isPermitted(medicine),
    })),
  };
}

/** An allergy as the sign of a child says it. */
const signedAllergySchema = z.pick(allergySchema, { allergen: true, substance: true, severity: true });
export const signedAllergiesSchema = z.array(signedAllergySchema);
export type SignedAllergy = z.infer<typeof signedAllergySchema>;

/** The allergies of a card for its sign, worst first. Pure. */
export function signedAllergiesOf({ allergies }: Pick<CareCard, 'allergies'>): SignedAllergy[] {
  return allergies
    .map(({ allergen, substance, severity }) => ({ allergen, substance, severity }))
    .toSorted((a, b) => ALLERGY_SEVERITIES.indexOf(a.severity) - ALLERGY_SEVERITIES.indexOf(b.severity));
}

/** Days before its end on which something valid is marked. */
const SOON_DAYS = 30;

/**
 * Whether something valid until a day has `ended`, or ends `soon`, within 30 days; null: neither. `today`: the day of the
 * facility. Both days are `YYYY-MM-DD`, and the last day still counts. Pure.
 */
export function validityOf(validUntil: string | null, today: string): 'ended' | 'soon' | null {
  if (validUntil === null) return null;
  const days = (Date.parse(validUntil) - Date.parse(today)) / 86_400_000;
  if (days < 0) return 'ended';
  return days <= SOON_DAYS ? 'soon' : null;
}
