/** A care card as its form holds it: every field a text, and what is absent is empty. Pure. */
import { CARE_DOCUMENTS, type CareCard, careCardInputSchema } from '@haris/contract/care-card';
import * as z from 'zod/mini';
import { validateWith } from '../forms/validation.ts';

type Texts<T> = { [K in keyof T]: null extends T[K] ? string : T[K] };

type Chosen<T> = { [K in keyof T]: string };

export interface CareValues extends Record<string, unknown> {
  /** Allergen and severity are empty until somebody chooses: a wrong one is worse than none. */
  allergies: Chosen<CareCard['allergies'][number]>[];
  medicines: Texts<CareCard['medicines'][number]>[];
  /** Objects, because the form keeps no lists of plain texts. */
  conditions: { text: string }[];
  dietary: string;
  contacts: CareCard['contacts'];
  doctor: { name: string; phone: string };
  insurance: { company: string; number: string; validUntil: string };
  documents: Texts<CareCard['documents'][number]>[];
  note: string;
}

export type CareList = 'allergies' | 'medicines' | 'conditions' | 'contacts' | 'documents';

export function valuesOf(card: CareCard): CareValues {
  return {
    allergies: card.allergies.map((allergy) => ({ ...allergy })),
    medicines: card.medicines.map((medicine) => ({ ...medicine, untilDate: medicine.untilDate ?? '' })),
    conditions: card.conditions.map((text) => ({ text })),
    dietary: card.dietary,
    contacts: card.contacts.map((contact) => ({ ...contact })),
    doctor: { ...(card.doctor ?? { name: '', phone: '' }) },
    insurance: {
      company: card.insurance?.company ?? '',
      number: card.insurance?.number ?? '',
      validUntil: card.insurance?.validUntil ?? '',
    },
    documents: card.documents.map((paper) => ({ ...paper, validUntil: paper.validUntil ?? '' })),
    note: card.note,
  };
}

const text = z.string();
const named = { name: text, phone: text };

/** The form as a draft of it is read. */
export const careFields = {
  allergies: z.array(
    z.object({ allergen: text, substance: text, severity: text, reaction: text, action: text }),
  ),
  medicines: z.array(
    z.object({ name: text, dose: text, when: text, untilDate: text, permitted: z.boolean() }),
  ),
  conditions: z.array(z.object({ text })),
  dietary: text,
  contacts: z.array(z.object({ ...named, relation: text })),
  doctor: z.object(named),
  insurance: z.object({ company: text, number: text, validUntil: text }),
  documents: z.array(z.object({ kind: z.enum(CARE_DOCUMENTS), name: text, validUntil: text })),
  note: text,
};

const isBlank = (texts: object) => Object.values(texts).every((text) => String(text).trim() === '');

/** The card to send; {@link problemsOf} says whether it is one. The server trims it, and a day without a text is none. */
export function cardOf(values: CareValues): CareCard {
  return {
    ...values,
    conditions: values.conditions.map(({ text }) => text),
    doctor: isBlank(values.doctor) ? null : values.doctor,
    insurance: isBlank(values.insurance) ? null : values.insurance,
  } as CareCard;
}

const validate = validateWith(careCardInputSchema);

/** `conditions.0` of the contract is `conditions.0.text` in the form; answers of the server begin with `card.`. */
function fieldOf(path: string): string {
  return path.replace(/^card\./, '').replace(/^(conditions\.\d+)$/, '$1.text');
}

function inForm(problems: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(problems).map(([path, text]) => [fieldOf(path), text]));
}

/** Problems by field of the form. */
export function problemsOf(values: CareValues): Record<string, string> {
  return inForm(validate(cardOf(values)));
}

/** The server's problems by field of the form. */
export const serverProblems = inForm;
