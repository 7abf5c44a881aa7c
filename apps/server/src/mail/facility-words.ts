/**
 * The facility in a mail: which one an account's mail names, and its name in a sentence. While there is no name, the
 * product's stands for it.
 */
import type { Language } from '@haris/contract/fields';
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import { findFacilityNames, findFamilyFacility } from '../db/facilities.ts';
import { findFacilitiesOfStaff } from '../db/memberships.ts';
import type { Database } from '../db/schema.ts';
import { facilityOrMain, MAIN_FACILITY } from '../facility.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface MailAccount {
  readonly kind: AccountKind;
  readonly accountId: string;
}

/** A facility's name, or else the organisation's; null while there is neither. */
export async function findNameOf(db: Reader, facility: string): Promise<string | null> {
  const names = await findFacilityNames(db);
  return names.get(facility) ?? names.get(MAIN_FACILITY) ?? null;
}

/**
 * The name of the facility where an account belongs: a family's by its children, staff's by their role. For somebody of
 * several, or of none yet, the one where the mail was caused, else the organisation's. Null while there is no name.
 */
export async function findMailFacility(db: Reader, { kind, accountId }: MailAccount): Promise<string | null> {
  const own =
    kind === 'parent' ? await findFamilyFacility(db, accountId) : await findStaffFacility(db, accountId);
  return findNameOf(db, own ?? facilityOrMain());
}

/** The only facility where a staff member works; null if there are several. */
async function findStaffFacility(db: Reader, staffId: string): Promise<string | null> {
  const facilities = await findFacilitiesOfStaff(db, staffId);
  return facilities.length === 1 ? (facilities[0] ?? null) : null;
}

const ARABIC = /\p{Script=Arabic}/u;
const LATIN = /\p{Script=Latin}/u;

/** The name as it stands in a sentence: one in letters that run the other way is isolated, so that it stays together. */
export function nameInText(language: Language, facility: string): string {
  return (language === 'ar' ? LATIN : ARABIC).test(facility) ? `\u2068${facility}\u2069` : facility;
}

/** Fills `{{haris}}`, `{{inHaris}}`, `{{account}}` and `{{detail}}`, each once. `facility`: its name, or null. */
export function fillText(
  text: string,
  language: Language,
  { facility, detail = '' }: { readonly facility: string | null; readonly detail?: string },
): string {
  const words = {
    ...(language === 'ar' ? wordsInArabic(facility) : wordsInEnglish(facility)),
    // Unicode isolates keep an address together within Arabic text.
    detail: `\u2068${detail}\u2069`,
  };
  return text.replace(/\{\{(haris|inHaris|account|detail)\}\}/g, (_, key: keyof typeof words) => words[key]);
}

interface Words {
  readonly haris: string;
  readonly inHaris: string;
  readonly account: string;
}

function wordsInEnglish(facility: string | null): Words {
  if (facility === null) return { haris: 'Haris', inHaris: 'in Haris', account: 'Haris account' };
  const name = `${nameInText('en', facility)} (Haris)`;
  return { haris: name, inHaris: `at ${name}`, account: `account at ${name}` };
}

function wordsInArabic(facility: string | null): Words {
  const name = facility === null ? 'حارس' : `${nameInText('ar', facility)} (حارس)`;
  return { haris: name, inHaris: `في ${name}`, account: `حساب في ${name}` };
}
