import { Alert } from '@mantine/core';
import { Copyable } from '../../components/copyable.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';

/** A new key, which is displayed only once, with examples of its use. */
export const OneTimeKey = ({ value }: { readonly value: string }) => (
  <ShownOnce what="the key">
    {(onCopied) => (
      <>
        <Alert color="yellow" role="status">
          Copy the key now. It will not be shown again.
        </Alert>
        <Copyable label="API key" text={value} onCopied={onCopied} />
        <Copyable
          label="Try it"
          text={`curl ${window.location.origin}/api/agents/me \\\n  -H 'authorization: Bearer ${value}'`}
          onCopied={onCopied}
        />
        <Copyable
          label="For .env"
          text={`COMMONPLACE_URL=${window.location.origin}\nCOMMONPLACE_API_KEY=${value}`}
          onCopied={onCopied}
        />
      </>
    )}
  </ShownOnce>
);
