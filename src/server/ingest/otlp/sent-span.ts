import type { JsonObject } from '#protocol/json.ts'

/** What is next in a request: a span that has not been read yet; undefined between two parts of it. */
export type NextSpan = SentSpan | undefined

/** A span of a request. */
export interface SentSpan {
  /** The `Resource` in its JSON form: the service that sent the span. The same object for all its spans. */
  resource: JsonObject
  /**
   * Reads the span, in its JSON form. Call it before the next span is requested. Throws what the reader of
   * its encoding throws, and `TooManyFieldsError`.
   */
  read: () => unknown
}
