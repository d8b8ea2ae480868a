import { AppError } from '@commonplace/contracts/core';

/** Throws if an argument is given that would be ignored beside another one. */
export const assertOnly = (
  given: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
  beside: string,
): void => {
  const others = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || allowed.includes(name) ? [] : [name],
  );
  if (others.length > 0) {
    const alternative = allowed.length === 0 ? '' : `; it takes ${allowed.join(' and ')}`;
    throw new AppError(
      'validation_failed',
      `${others.join(' and ')} cannot stand beside ${beside}${alternative}.`,
    );
  }
};
