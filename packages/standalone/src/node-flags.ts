/**
 * The flags of Node for every service, which count only on the command line. V8 would let the young generation of a
 * busy process grow to 128 MB and keep it (docs/adr/0032). This flag does not change the compile cache.
 */
export const nodeFlags = ['--max-semi-space-size=16'] as const;
