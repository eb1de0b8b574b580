/** A dash in a table, for a value that does not exist; `why` is its tooltip, and what screen readers read. */
export function NoValue({ why }: { why: string }) {
  return (
    <span className="quiet no-value" title={why}>
      <span aria-hidden="true">—</span>
      <span className="visually-hidden">{why}</span>
    </span>
  )
}
