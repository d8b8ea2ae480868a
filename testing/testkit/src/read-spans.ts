/** A span as a collector gets it. Ids are hexadecimal; `parentId` is empty for the first span of a trace. */
export type ReceivedSpan = {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The ids of the linked spans. */
  readonly links: readonly string[];
  readonly isError: boolean;
};

type Field = { readonly no: number; readonly bytes: Buffer; readonly number: number };

/** Reads an ExportTraceServiceRequest of opentelemetry-proto. */
export const readSpans = (body: Buffer): ReceivedSpan[] =>
  all(body, 1).flatMap((resource) => {
    const service = String(attributesOf(only(resource, 1), 1)['service.name']);
    return all(resource, 2).flatMap((scope) =>
      all(scope, 2).map((span) => readSpan(service, span)),
    );
  });

const readSpan = (service: string, span: Buffer): ReceivedSpan => ({
  service,
  traceId: only(span, 1).toString('hex'),
  spanId: only(span, 2).toString('hex'),
  parentId: only(span, 4).toString('hex'),
  name: only(span, 5).toString(),
  attributes: attributesOf(span, 9),
  links: all(span, 13).map((link) => only(link, 2).toString('hex')),
  isError: fieldsOf(only(span, 15)).some(({ no, number }) => no === 3 && number === 2),
});

const attributesOf = (message: Buffer, fieldNo: number) =>
  Object.fromEntries(
    all(message, fieldNo).map((pair) => {
      const [value] = fieldsOf(only(pair, 2));
      return [
        only(pair, 1).toString(),
        value?.no === 1 ? value.bytes.toString() : (value?.number ?? 0),
      ];
    }),
  );

const all = (message: Buffer, no: number): Buffer[] =>
  fieldsOf(message).flatMap((field) => (field.no === no ? [field.bytes] : []));

const only = (message: Buffer, no: number): Buffer => all(message, no)[0] ?? Buffer.alloc(0);

/** The fields of a protobuf message: https://protobuf.dev/programming-guides/encoding/. */
const fieldsOf = (message: Buffer): Field[] => {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * shift;
      if (byte < 128) {
        return value;
      }
    }
  };
  const take = (length: number): Buffer => message.subarray(at, (at += length));
  const widths = new Map([
    [1, 8],
    [5, 4],
  ]);
  while (at < message.length) {
    const tag = varint();
    const number = tag % 8 === 0 || tag % 8 === 2 ? varint() : 0;
    const bytes = tag % 8 === 0 ? Buffer.alloc(0) : take(widths.get(tag % 8) ?? number);
    fields.push({ no: Math.floor(tag / 8), bytes, number });
  }
  return fields;
};
