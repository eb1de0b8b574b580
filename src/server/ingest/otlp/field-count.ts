import { limits } from '#server/limits.ts'

/** Thrown for a request with too many fields. `message` is sent to the client. */
export class TooManyFieldsError extends Error {}

/** Counts one field. Throws `TooManyFieldsError`. */
export interface FieldCounter {
  add: () => void
}

/** Skipping a span costs as much as reading ten fields (measured). */
const fieldsPerPart = 10

/**
 * Counts the fields of a request while they are parsed, at all levels: spans, attributes, values in lists. A
 * request of a few kB can expand to millions of fields.
 */
export class FieldCount {
  /** For resources, scopes and spans, including those that are skipped. */
  readonly parts: FieldCounter = { add: () => this.addToRequest(fieldsPerPart) }
  private ofRequest = 0

  /** Returns the counter of one span or resource. */
  ofPart(): FieldCounter {
    let ofPart = 0
    return {
      add: () => {
        ofPart += 1
        if (ofPart > limits.otlpSpanFields)
          throw new TooManyFieldsError(`a span or resource has more than ${limits.otlpSpanFields} fields`)
        this.addToRequest(1)
      },
    }
  }

  private addToRequest(quantity: number): void {
    this.ofRequest += quantity
    if (this.ofRequest > limits.otlpFields)
      throw new TooManyFieldsError(`the request has more than ${limits.otlpFields} fields`)
  }
}
