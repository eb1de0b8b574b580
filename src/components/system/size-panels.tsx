import { Disclosure } from '#components/ui/disclosure.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { byteText, percentText } from '#numbers/number-text.ts'
import type { SizeFigures } from '#server/console/settings/views.ts'

/** The size of the database by kind of data. */
export function SizePanels({ sizes }: { sizes: SizeFigures | undefined }) {
  if (sizes === undefined) {
    return (
      <Panel id="sizes" title="Storage by type">
        <p className="quiet">Measuring… reload in a moment.</p>
      </Panel>
    )
  }
  const { measuredAt, groups } = sizes
  const whole = groups.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <Panel
      id="sizes"
      title="Storage by type"
      note={
        <>
          measured <Time at={measuredAt} />
        </>
      }
    >
      <SizeTable whole={whole} rows={groups} />
      <Disclosure summary="By table">
        <SizeTable
          whole={whole}
          rows={groups
            .flatMap(({ tables }) => tables)
            .toSorted((one, other) => other.bytes - one.bytes)
            .map(({ name, bytes }) => ({ name, bytes, isCode: true }))}
        />
      </Disclosure>
    </Panel>
  )
}

function SizeTable({
  rows,
  whole,
}: {
  rows: readonly { name: string; bytes: number; isCode?: boolean }[]
  whole: number
}) {
  return (
    <table className="release-figures size-figures">
      <TableHead columns={['Data', 'Size', 'Share']} />
      <tbody>
        {rows.map(({ name, bytes, isCode }) => (
          <tr key={name}>
            <th scope="row">{isCode === true ? <code>{name}</code> : name}</th>
            <td>{byteText(bytes)}</td>
            <td>{percentText(bytes, whole)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
