/**
 * Work that the libraries do for a failure alone. Without it a page test takes a quarter to a third less processor time.
 */
import { configure, getConfig } from '@testing-library/react';
import * as React from 'react';

/**
 * Testing Library prints the whole page into each error, also for every try of `findBy…` and `waitFor` that finds nothing
 * yet. Now it prints the page when somebody reads the error.
 */
export function printPageOnceRead(): void {
  const { getElementError } = getConfig();
  configure({
    getElementError: (message, container) => {
      const error = new Error();
      error.name = 'TestingLibraryElementError';
      let printed: string | undefined;
      return Object.defineProperty(error, 'message', {
        configurable: true,
        get: () => {
          printed ??= getElementError(message, container).message;
          return printed;
        },
      });
    },
  });
}

/**
 * React takes a stack for each of the first 10,000 elements a second, to name in a warning who made the element. Tells it that
 * they are used up. Warnings still name the components.
 */
export function takeNoOwnerStacks(): void {
  const internals: unknown = Reflect.get(
    React,
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
  );
  if (typeof internals !== 'object' || internals === null || !('recentlyCreatedOwnerStacks' in internals)) {
    throw new Error(
      'This version of React counts its owner stacks elsewhere. Look whether it still takes them.',
    );
  }
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Number.POSITIVE_INFINITY,
    set: () => {},
  });
}
