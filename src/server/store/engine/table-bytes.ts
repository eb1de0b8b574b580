/** A table and its bytes on disk, including indexes. */
export interface TableBytes {
  name: string
  bytes: number
}
