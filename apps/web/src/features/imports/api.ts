/** Calls of the import: what is wrong with the rows, and adding them. */
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import { importRoutes, type RawImportRow } from '@haris/contract/http/imports';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';

/** Two thousand rows take a while on a busy machine. Milliseconds. */
const PATIENCE_MS = 120_000;

/** `attempt` names the rows: they are too many for a key. */
export function usePreview(rows: readonly RawImportRow[] | null, attempt: string) {
  return useQuery({
    // Not below the key of parents: what this import itself adds must not be found to have an account already.
    queryKey: ['import', attempt],
    queryFn: ({ signal }) =>
      call(importRoutes.previewParentImport, {
        body: { rows: [...(rows ?? [])] },
        timeoutMs: PATIENCE_MS,
        signal,
      }),
    enabled: rows !== null,
    // Somebody may register in the meantime; the server looks again when it imports.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface ImportRequest {
  readonly rows: readonly RawImportRow[];
  readonly language: Language;
  /** The same for the same rows: sent again after a lost answer, nothing is done twice. */
  readonly key: string;
}

/** What became of an import: `leftOut` are the rows whose e-mail got an account while it was at work. */
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
    // Also after a refusal: somebody may have been quicker.
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.parents] }),
  });
}
