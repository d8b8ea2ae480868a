import type { Schema } from '@commonplace/client';
import { Granted } from './granted.tsx';
import { describeScopes } from './scopes.ts';

type CredentialReachProps = {
  readonly credential: Pick<Schema<'ApiKey'>, 'scopes' | 'grants'>;
};

/** What a credential may do, and the notes that it reaches if those are fewer than its agent's. */
export const CredentialReach = ({ credential: { scopes, grants } }: CredentialReachProps) => (
  <>
    {describeScopes(scopes)}
    <Granted grants={grants} />
  </>
);
