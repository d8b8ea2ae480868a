import { notifications } from '@mantine/notifications';
import { changesOfOperator } from '../../api/changes-of-operator.ts';

let lastId: string | null = null;

/**
 * Notes who is signed in on this page. Another operator than before sees no message to the former one, and none about what that
 * one did last, however late the response comes.
 */
export const beginAs = (operatorId: string): void => {
  if (lastId !== null && lastId !== operatorId) {
    notifications.clean();
    changesOfOperator.forget();
  }
  lastId = operatorId;
};
