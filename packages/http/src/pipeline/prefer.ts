/** Whether a Prefer header names a preference, such as `return=minimal` (RFC 7240). */
export const prefers = (header: string | undefined, preference: string): boolean =>
  header
    ?.split(/[,;]/)
    .some((part) => part.replaceAll(/[\s"]/g, '').toLowerCase() === preference) ?? false;

/** Whether a client prefers a receipt over the whole resource. */
export const prefersMinimal = (header: string | undefined): boolean =>
  prefers(header, 'return=minimal');
