/** Headers of a response that shows a secret, which is shown once: no cache may keep it. */
export const secretHeaders = {
  'Cache-Control': { description: 'Nobody may keep it', value: 'no-store' },
} as const;
