/** PostgreSQL rejected a statement, or could not be reached. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError'
  /**
   * SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html), or an error code of the operating system.
   */
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}
