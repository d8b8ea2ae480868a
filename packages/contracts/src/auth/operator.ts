import { z } from 'zod';
import { timestamp } from '../common.ts';
import { operatorId } from '../ids.ts';

/** An operator as it sees itself. */
export const signedInOperator = z
  .object({ id: operatorId, email: z.string(), name: z.string(), isAdmin: z.boolean() })
  .meta({ id: 'SignedInOperator', description: 'The operator of the session' });
export type SignedInOperator = z.input<typeof signedInOperator>;

/** An account as administrators see it. Operators are global; companies have them as members. */
export const operator = z
  .object({
    id: operatorId,
    email: z.string(),
    emailVerified: z.boolean().meta({
      description:
        'Whether the provider, or who runs the instance, confirmed that the e-mail is of this person. ' +
        'False for an account of an invite: its sender may have accepted it',
    }),
    name: z.string(),
    isAdmin: z.boolean().meta({ description: 'An instance administrator; implies no membership' }),
    disabled: z.boolean(),
    createdAt: timestamp,
    lastSignInAt: timestamp.nullable(),
  })
  .meta({ id: 'Operator', description: 'The account of a human operator' });
export type Operator = z.input<typeof operator>;
