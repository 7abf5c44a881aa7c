/** Calls of the import: validates the rows and adds the families. */
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import { importRoutes, type RawImportRow } from '@haris/contract/http/imports';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';

/** Timeout of a call in milliseconds: two thousand rows may take long on a busy server. */
const PATIENCE_MS = 120_000;

/** `attempt` stands for the rows in the query key, because they are too large for it. */
export function usePreview(rows: readonly RawImportRow[] | null, attempt: string) {
  return useQuery({
    // Outside the key of parents, so that families added by the import do not trigger a new validation.
    queryKey: ['import', attempt],
    queryFn: ({ signal }) =>
      call(importRoutes.previewParentImport, {
        body: { rows: [...(rows ?? [])] },
        timeoutMs: PATIENCE_MS,
        signal,
      }),
    enabled: rows !== null,
    // Never refetched: the server validates the rows again during the import.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface ImportRequest {
  readonly rows: readonly RawImportRow[];
  readonly language: Language;
  /** Idempotency key of the rows, so that a request repeated after a lost response adds nothing twice. */
  readonly key: string;
}

/** How often the count of processed rows is read while an import runs, in milliseconds. */
const PROGRESS_MS = 1_000;

/** How many rows the running import with this key has processed; null while that is not known. */
export function useImportProgress(key: string, isRunning: boolean): number | null {
  const { data } = useQuery({
    queryKey: ['import', key, 'progress'],
    queryFn: ({ signal }) =>
      call(importRoutes.getImportProgress, { headers: { [IDEMPOTENCY_KEY_HEADER]: key }, signal }),
    enabled: isRunning,
    refetchInterval: PROGRESS_MS,
    retry: false,
  });
  return isRunning ? (data?.done ?? null) : null;
}

/** Result of an import: `leftOut` are rows whose e-mail address got an account in the meantime. */
export type Imported = Pick<z.infer<typeof importRoutes.importParents.answer>, 'created' | 'leftOut'>;

export function useImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ rows, language, key }: ImportRequest) =>
      call(importRoutes.importParents, {
        body: { rows: [...rows], language },
        headers: { [IDEMPOTENCY_KEY_HEADER]: key },
        timeoutMs: PATIENCE_MS,
      }),
    // Refetches after a failure too, because somebody else may have added the families.
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.parents] }),
  });
}
