/** True for the address of a PostgreSQL database, which is the path of a file otherwise. */
export function isPostgresUrl(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address)
}
