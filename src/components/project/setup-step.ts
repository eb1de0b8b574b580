/** A step of a setup guide: a command or a file. */
export interface SetupStep {
  /** `Shell`, or the file's path. */
  label: string
  code: string
}
