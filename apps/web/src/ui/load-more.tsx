/** The end of a paged list: loads the next page when the end comes near, or by a button. */
import { Button, Center, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';

export interface LoadMoreProps {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    isPlaceholderData: boolean;
    fetchNextPage: () => unknown;
  };
  label: string;
  busyLabel: string;
  errorText: string;
}

/** Distance below the screen at which the next page is requested. */
const AHEAD = '0px 0px 800px 0px';

export function LoadMore({ list, label, busyLabel, errorText }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage } = list;
  // After a failure only the button retries, because the observer would retry endlessly.
  const isWatching = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isPlaceholderData;

  useEffect(() => {
    if (end.current === null || !isWatching) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) fetchNextPage();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWatching, fetchNextPage]);

  if (!hasNextPage) return null;
  return (
    <Center ref={end} p="md" style={{ flexDirection: 'column', gap: '0.5rem' }}>
      {isFetchNextPageError ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {errorText}
        </Text>
      ) : null}
      <Button variant="default" size="sm" onClick={() => fetchNextPage()} loading={isFetchingNextPage}>
        {isFetchingNextPage ? busyLabel : label}
      </Button>
    </Center>
  );
}
