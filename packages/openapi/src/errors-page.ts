import { errorCodes } from '@commonplace/contracts';

/** The error table as Markdown, for docs/errors.md. */
export const errorsPage = (): string => {
  const rows = Object.entries(errorCodes)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`);
  return [
    '# Errors',
    '',
    'Every problem (`application/problem+json`, RFC 9457) carries one of these codes. Generated from',
    '`packages/contracts/src/error-codes.ts` by `pnpm openapi`.',
    '',
    '| Status | Code | Title |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
};
