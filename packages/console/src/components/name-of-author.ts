import type { Schema } from '@commonplace/client';

/** The name of an author, or its kind if the API knows no name. */
export const nameOfAuthor = ({ name, kind }: Schema<'NamedAuthor'>): string => name ?? `an ${kind}`;
