/** The name of a table and its bytes on disk, with its indexes. */
export interface TableBytes {
  name: string
  bytes: number
}
