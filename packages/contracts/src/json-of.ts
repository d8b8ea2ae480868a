declare const valueOf: unique symbol;

/**
 * JSON text of a value that conforms to the schema of its route, which a test must show. Responses
 * with thousands of items are written as text in a third of the time.
 */
export type JsonOf<Value> = string & { readonly [valueOf]: Value };
