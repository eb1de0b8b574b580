import { limits } from '#server/limits.ts'

/** Thrown for a request with more fields than are read. `message` is for its sender. */
export class TooManyFieldsError extends Error {}

/** Counts one field. Throws `TooManyFieldsError`. */
export interface FieldCounter {
  add: () => void
}

/** Passing a span costs as much as reading ten fields (measured). */
const fieldsPerPart = 10

/**
 * Counts the fields of a request while they are read, at all levels: spans, attributes, values in lists. A
 * request of a few kB can expand to millions of them.
 */
export class FieldCount {
  /** Of what holds spans: resources, scopes, and the spans themselves, also those that are not read. */
  readonly parts: FieldCounter = { add: () => this.addToRequest(fieldsPerPart) }
  private ofRequest = 0

  /** The counter of one span or resource that is read. */
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
