/** True for the URL of a PostgreSQL database; any other address is the path of a file. */
export function isPostgresUrl(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address)
}

/** The host and the database of a URL, without its password. */
export function databaseName(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `${host === '' ? (searchParams.get('host') ?? 'localhost') : host}${pathname}`
}
