/** Extends the stay of one child, with a toast that offers to undo it. */
import { stayRoutes } from '@haris/contract/http/stays';
import type { Child } from '@haris/contract/objects';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { serverNow } from '../../../calls/server-clock.ts';
import { dueAt } from '../../../countdown/remaining.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { attempt } from '../stays/stay-attempts.ts';
import { undoOffers, useUndoToast } from './undo.ts';

/** By minutes, or until a moment (ISO 8601). */
export type Extension = { readonly minutes: number } | { readonly until: string };

/**
 * Extends the stay as this desk sees it: if another desk has changed its end, the server refuses, and the lists are
 * refetched.
 */
export function useExtend() {
  const { t } = useTranslation('child');
  const client = useQueryClient();
  const format = useClockFormat();
  const showUndoToast = useUndoToast();
  return useMutation({
    mutationFn: ({ child, by }: { child: Child; by: Extension }) => {
      const due = new Date(dueAt(child) ?? 0).toISOString();
      return attempt(client, `extend:${child._id}:${due}:${JSON.stringify(by)}`, (headers) =>
        call(stayRoutes.extendStay, { params: { id: child._id }, body: { due, ...by }, headers }),
      );
    },
    onSuccess: (child) => {
      const offer = undoOffers.hold('extension', [child]).open();
      const time = format.endOfStay(dueAt(child) ?? serverNow(), serverNow());
      showUndoToast(t('extend.done', { time }), offer);
    },
    onError: (error) => {
      showFailure(error);
      void client.invalidateQueries({ queryKey: [keys.parents] });
    },
  });
}
