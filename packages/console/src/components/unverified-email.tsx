import { Badge } from '@mantine/core';

/** Marks an email that is not verified; renders nothing if it is, or if that is not known. */
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
