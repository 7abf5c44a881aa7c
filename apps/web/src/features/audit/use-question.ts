/** The filter of the audit log. It is in the address, so that back and reload keep it; the search is not, for privacy. */
import { AUDIT_FILTERS } from '@haris/contract/audit';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import type { AuditQuestion } from './queries.ts';

const day = z.catch(z.optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))), undefined);
const id = z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(100))), undefined);
const addressSchema = z.object({
  from: day,
  to: day,
  actor: id,
  subject: id,
  kind: z.catch(z.optional(z.enum(AUDIT_FILTERS)), undefined),
});

export interface Question {
  question: AuditQuestion;
  /** Undefined or '' removes a filter. */
  change: (next: Partial<AuditQuestion>) => void;
}

export function useQuestion(): Question {
  const [address, setAddress] = useSearchParams();
  const [search, setSearch] = useState('');
  const question = { ...addressSchema.parse(Object.fromEntries(address)), search };
  function change({ search: nextSearch, ...next }: Partial<AuditQuestion>) {
    if (nextSearch !== undefined) setSearch(nextSearch);
    if (Object.keys(next).length === 0) return;
    setAddress(
      (old) => {
        const params = new URLSearchParams(old);
        for (const [name, value] of Object.entries(next)) {
          if (value) params.set(name, value);
          else params.delete(name);
        }
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  }
  return { question, change };
}
