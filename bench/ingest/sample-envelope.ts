/** An envelope that is sent many times, each time with another event id. */
export interface SampleEnvelope {
  bytes: Buffer
  /** Offset of the 32 digits of the event id in `bytes`. */
  idOffsets: number[]
  /** How many of the digits are replaced at each offset; default: all. */
  idDigits?: number
  /** Offset of the event's timestamp, seconds with three decimals, if it is replaced with the time. */
  timeOffset?: number
  /** `Content-Type` of the request; default: none. */
  contentType?: string
}
