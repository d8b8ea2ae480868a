import type { OperatorId } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import { deviceShare, networkShare, type Share } from '../policy/login-limits.ts';
import {
  isKnownDevice,
  isKnownDeviceOfAnybody,
  isKnownDeviceOfEmail,
} from '../queries/known-devices.ts';

type ShareDeps = Pick<Deps, 'db'>;

/** Whose attempts are counted: those for an account, or (`anybody`) before one is known. */
export type ShareOwner =
  | { readonly email: string }
  | { readonly operatorId: OperatorId }
  | 'anybody';

/**
 * Returns under which share of the limits attempts of a client count: that of its device, if the operator signed in
 * with it before, else that of its network. Nobody else can use up the share of a device.
 */
export const findShare = async (
  { db }: ShareDeps,
  { address, device }: Client,
  owner: ShareOwner,
): Promise<Share> => {
  if (device === null) {
    return networkShare(address);
  }
  const isKnown = await read(db, 'global', (tx) => {
    if (owner === 'anybody') {
      return isKnownDeviceOfAnybody(tx, device);
    }
    return 'email' in owner
      ? isKnownDeviceOfEmail(tx, { email: owner.email, digest: device })
      : isKnownDevice(tx, { operatorId: owner.operatorId, digest: device });
  });
  return isKnown ? deviceShare(device) : networkShare(address);
};
