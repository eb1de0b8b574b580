/** A column: its name, how its header is styled, and whether only screen readers get the name. */
interface TableColumn {
  name: string
  className?: string
  isNameHidden?: boolean
}

/** The header row of a table. */
export function TableHead({ columns }: { columns: readonly (string | TableColumn)[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const {
            name,
            className,
            isNameHidden = false,
          } = typeof column === 'string' ? { name: column } : column
          return (
            <th key={name} scope="col" className={className}>
              {isNameHidden ? <span className="visually-hidden">{name}</span> : name}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
