/** Drafts of a form: says what is typed in it, and puts back once what was kept across a reload. */
import { useEffect, useEffectEvent } from 'react';
import * as z from 'zod/mini';
import { DRAFTS_KEY } from '../calls/token-store.ts';
import { i18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.tsx';
import { notifySuccess } from '../ui/toast.ts';
import { addSource, KEPT_MS, type TypedInput } from './drafts.ts';

const fieldsSchema = z.record(z.string(), z.unknown());
const draftsSchema = z.array(
  z.object({
    account: z.string(),
    /** Milliseconds since 1970, by this device's clock. */
    at: z.number(),
    key: z.string(),
    typed: fieldsSchema,
    over: fieldsSchema,
  }),
);
type KeptDraft = z.infer<typeof draftsSchema>[number];

export interface DraftOptions<Values> {
  /** The form and what it is about, such as `care-card:<id of the child>`. */
  readonly key: string;
  /** The fields that are kept, each with its schema. Never a password, PIN, code, proof or file. */
  readonly fields: { readonly [Field in keyof Values]?: z.ZodMiniType };
}

export interface DraftForm<Values> {
  now: () => Values;
  /** The values from which typing is told apart. */
  before: () => Values;
  restore: (typed: Partial<Values>) => void;
}

function readDrafts(): readonly KeptDraft[] {
  try {
    const parsed = draftsSchema.safeParse(JSON.parse(sessionStorage.getItem(DRAFTS_KEY) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

/** The draft of a form, which is thereby removed. Drafts of others, and old ones, are removed too. */
function takeDraft(account: string, key: string): KeptDraft | undefined {
  const now = Date.now();
  const valid = readDrafts().filter(
    (draft) => draft.account === account && draft.at <= now && now - draft.at <= KEPT_MS,
  );
  const taken = valid.find((draft) => draft.key === key);
  const rest = valid.filter((draft) => draft !== taken);
  try {
    if (rest.length === 0) sessionStorage.removeItem(DRAFTS_KEY);
    else sessionStorage.setItem(DRAFTS_KEY, JSON.stringify(rest));
  } catch {
    // What cannot be removed is not put back either: it would come again and again.
    return undefined;
  }
  return taken;
}

/** Whose drafts these are; null while that is not known. */
function useDraftAccount(): string | null {
  const { admin, parent, isLoading } = useSession();
  if (isLoading) return null;
  const { identity } = admin;
  if (identity !== null) return `${identity._id}@${identity.work?.facilityId ?? ''}`;
  return parent.identity?._id ?? '';
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

type Schemas = Readonly<Record<string, z.ZodMiniType | undefined>>;

function schemasOf<Values>({ fields }: DraftOptions<Values>): Schemas {
  return fields as Schemas;
}

/** The typed fields of a draft, if it is one of this form as it is now. */
function fitting<Values>(
  { typed, over }: KeptDraft,
  draft: DraftOptions<Values>,
  before: Readonly<Record<string, unknown>>,
): Partial<Values> | null {
  const schemas = schemasOf(draft);
  const isFitting = Object.entries(typed).every(
    ([field, value]) =>
      schemas[field]?.safeParse(value).success === true &&
      // Somebody has changed it meanwhile: an old draft must not undo that unseen.
      isSame(over[field], before[field]),
  );
  return isFitting ? (typed as Partial<Values>) : null;
}

/** Without `draft`, what is typed is lost by a reload, and the notice of a new version says so. */
export function useDraft<Values extends Record<string, unknown>>(
  draft: DraftOptions<Values> | undefined,
  form: DraftForm<Values>,
): void {
  const account = useDraftAccount();
  const key = draft?.key;

  const read = useEffectEvent((): TypedInput | null => {
    const now: Readonly<Record<string, unknown>> = form.now();
    const before: Readonly<Record<string, unknown>> = form.before();
    const changed = Object.keys(now).filter((field) => !isSame(now[field], before[field]));
    const schemas = draft === undefined ? {} : schemasOf(draft);
    const kept = changed.filter((field) => schemas[field] !== undefined);
    const pick = (values: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(kept.map((field) => [field, values[field]]));
    if (changed.length === 0) return null;
    if (draft === undefined || account === null || kept.length === 0) return { draft: null, isLost: true };
    return {
      draft: { account, key: draft.key, typed: pick(now), over: pick(before) },
      isLost: kept.length < changed.length,
    };
  });
  useEffect(() => addSource(() => read()), []);

  const restore = useEffectEvent((taken: KeptDraft) => {
    const typed = draft && fitting(taken, draft, form.before());
    if (!typed) return;
    form.restore(typed);
    notifySuccess(i18n.t('common:draftBack'), 'draft');
  });
  useEffect(() => {
    if (account === null || key === undefined) return;
    const taken = takeDraft(account, key);
    // Afterwards, because the form's own effects watch its fields.
    if (taken !== undefined) queueMicrotask(() => restore(taken));
  }, [account, key]);
}

/** Tells the notice of a new version about input that no draft can keep, such as a photo that was just taken. */
export function useUnkeptInput(isThere: boolean): void {
  useEffect(() => (isThere ? addSource(() => ({ draft: null, isLost: true })) : undefined), [isThere]);
}
