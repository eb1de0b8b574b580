/** An envelope ready to be sent many times, each time under another id. */
export interface SampleEnvelope {
  bytes: Buffer
  /** Offset of the 32 digits of the event id in `bytes`. */
  idOffsets: number[]
  /** Digits of it that are replaced at each offset; default: all. */
  idDigits?: number
  /** `Content-Type` of the request; default: none. */
  contentType?: string
}
