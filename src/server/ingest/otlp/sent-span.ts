import type { JsonObject } from '#protocol/json.ts'

/** The next span of a request; undefined between two parts of it. */
export type NextSpan = SentSpan | undefined

/** A span of a request. */
export interface SentSpan {
  /** The `Resource` in its JSON form: the service that sent the span. One object for all its spans. */
  resource: JsonObject
  /**
   * Parses the span, in its JSON form. Call it before the next span is requested. Throws the errors of its
   * encoding's parser, and `TooManyFieldsError`.
   */
  read: () => unknown
}
