/** Headers of a response with a secret, which no cache may store. */
export const secretHeaders = {
  'Cache-Control': { description: 'Must not be cached', value: 'no-store' },
} as const;
