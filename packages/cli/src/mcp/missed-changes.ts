import { isMessage, type Message } from './message.ts';

/** The first message of every stream of a subscription; it has the changes that the server agreed to announce. */
export const isAcknowledgement = ({ method }: Message): boolean =>
  method === 'notifications/subscriptions/acknowledged';

/**
 * What a client gets in place of a repeated acknowledgement: everything it subscribed to may have changed while the
 * stream was cut, and nobody else says so.
 */
export const missedChanges = ({ params }: Message): readonly object[] => {
  const agreed = isMessage(params?.['notifications']) ? params['notifications'] : {};
  const { resourceSubscriptions, resourcesListChanged } = agreed as Readonly<
    Record<string, unknown>
  >;
  const meta = params?.['_meta'] === undefined ? {} : { _meta: params['_meta'] };
  const uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions : [];
  return [
    ...uris.map((uri: unknown) => ({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { ...meta, uri },
    })),
    ...(resourcesListChanged === true
      ? [{ jsonrpc: '2.0', method: 'notifications/resources/list_changed', params: meta }]
      : []),
  ];
};
