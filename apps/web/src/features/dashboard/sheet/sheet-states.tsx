/** The states of a sheet without data: a skeleton, "not found", or the failure with a button to retry. */

import { IconUserQuestion } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../../calls/api-error.ts';
import { failureText } from '../../../calls/failure.ts';
import { EmptyState, ErrorState, PeopleSkeleton } from '../../../ui/states.tsx';

export interface SheetStatesProps<Data> {
  sheet: UseQueryResult<Data>;
  notFound: string;
  notFoundHint: string;
  children: (data: Data) => ReactNode;
}

export function SheetStates<Data>({ sheet, notFound, notFoundHint, children }: SheetStatesProps<Data>) {
  const { data, error } = sheet;
  // A person who was deleted in the meantime must not stay on the screen.
  if (error instanceof ApiError && error.code === 'not_found')
    return <EmptyState icon={<IconUserQuestion size={28} />} text={notFound} hint={notFoundHint} />;
  if (data !== undefined) return children(data);
  if (error === null) return <PeopleSkeleton rows={3} />;
  return (
    <ErrorState text={failureText(error)} onRetry={() => void sheet.refetch()} busy={sheet.isRefetching} />
  );
}
