import { Badge } from '@mantine/core';

/** Says that nobody proved an e-mail; nothing if somebody did, or it is not known. */
export const UnverifiedEmail = ({ isVerified }: { readonly isVerified: boolean | null }) =>
  isVerified === false ? (
    <Badge
      variant="light"
      color="yellow"
      size="sm"
      title="Nobody proved that this email is of this person"
    >
      unverified
    </Badge>
  ) : null;
